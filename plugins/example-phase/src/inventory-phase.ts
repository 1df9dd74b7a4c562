import type { AnyPhase, InitContext, Layout, PhaseToolkit } from '@groundplane/plugin';
import { type InventoryRecord, inventoryRecord, type RecordSources } from './inventory-record.ts';

/** Where the record is: beside what it is about. */
export function recordPath({ kubernetes }: Pick<Layout, 'kubernetes'>): string {
  return `${kubernetes}/inventory.yaml`;
}

/** Writes a record of the cluster for an inventory, as soon as its CA is there. */
export function inventoryPhase({ contract, artifact, file, formats }: PhaseToolkit): AnyPhase<InitContext> {
  const record = file<InventoryRecord>({
    id: 'example/inventory.yaml',
    description: 'record of the cluster for the inventory',
    path: recordPath,
    format: formats.yaml('YAML inventory record'),
    mode: 0o644,
    maxMode: 0o644,
  });
  return contract<InitContext>().definePhase({
    name: 'inventory',
    summary: 'Write a record of the cluster for the inventory',
    configuration: ['controlPlaneEndpoint', 'localAPIEndpoint'],
    reads: { authority: artifact<string>('pki/ca.crt') },
    writes: { record },
    render: async ({ config, inputs, outputs }) =>
      outputs({ record: await inventoryRecord(sources(config, inputs.authority)) }),
    async verify({ config, inputs, outputs }) {
      const wanted = await inventoryRecord(sources(config, inputs.authority));
      return fields
        .filter((field) => outputs.record[field] !== wanted[field])
        .map((field) => ({
          code: 'EXAMPLE_INVENTORY_STALE',
          severity: 'error' as const,
          artifact: record.id,
          message: `The record of the cluster says something else about its ${field} than what is so: ${outputs.record[field]}`,
          hint: 'Have it written again: groundplane init phase inventory',
        }));
    },
    demands: (config) => ({
      record: [
        { text: `controlPlane is https://${endpointOf(config)}`, code: 'EXAMPLE_INVENTORY_STALE', severity: 'error' },
        {
          text: 'authority is the SHA-256 of the certificate of the CA, in hexadecimal',
          code: 'EXAMPLE_INVENTORY_STALE',
          severity: 'error',
        },
      ],
    }),
  });
}

const fields = ['controlPlane', 'authority'] as const;

function sources(config: InitContext, authority: string): RecordSources {
  return { endpoint: endpointOf(config), authority };
}

function endpointOf({ cluster, init }: InitContext): string {
  const { advertiseAddress, bindPort } = init.localAPIEndpoint;
  const own = advertiseAddress.includes(':') ? `[${advertiseAddress}]` : advertiseAddress;
  if (cluster.controlPlaneEndpoint === '') return `${own}:${bindPort}`;
  return /:\d+$/.test(cluster.controlPlaneEndpoint)
    ? cluster.controlPlaneEndpoint
    : `${cluster.controlPlaneEndpoint}:${bindPort}`;
}
