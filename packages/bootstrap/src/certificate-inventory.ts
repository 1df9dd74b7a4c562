import type { Finding } from '@groundplane/errors';
import { parseKubeletConfig } from '@groundplane/kubelet';
import type { Host, Layout, SuppliedPorts } from '@groundplane/phases';
import { type ChainLink, splitCertificates } from '@groundplane/pki';
import { controlPlaneRows, type InventoryRow, workerRows } from './certificate-inventory-rows.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { filePathOf } from './file-path-of.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import {
  contentOf,
  type FurtherCertificate,
  type InventoryState,
  type LookedAt,
  lookAt,
} from './inventory-contents.ts';
import { type JoinContext, joinLayoutOf } from './join-context.ts';
import { joinedNodeConfiguration } from './joined-node-configuration.ts';
import { inventoryFindings, isVerified } from './judge-inventory.ts';
import { type ConfigurationSource, nodeConfiguration } from './node-configuration.ts';
import { silently } from './node-facts.ts';
import { type NodeRole, nodeRole } from './node-role.ts';
import { readText } from './read-text.ts';
import { sharedAuthorityFindings } from './shared-authorities.ts';

export interface InventoryRequest {
  readonly ports: SuppliedPorts;
  /** Text of the file given by `--config`; without one the configuration is looked for. */
  readonly configText?: string | undefined;
  /** Text of the kubeconfig with which the cluster is asked for its configuration. @default that of the node */
  readonly kubeconfig?: string | undefined;
  /** Absolute path of the folder of the certificates, in place of the configuration's. */
  readonly certificatesDir?: string | undefined;
  /** Absolute path of the folder from which relative paths of the configuration count. @default '/' */
  readonly workingDirectory?: string;
  /** What the node is to be taken for, whatever is on it. @default what it is */
  readonly role?: NodeRole | undefined;
  readonly now: Date;
}

/** What is known of one place. No field is secret. */
export interface InventoryEntry extends InventoryRow {
  readonly state: InventoryState;
  /** Why it is not `present`. */
  readonly reason?: string;
  /** From the certificate to the one that is trusted; empty unless it is `present`. */
  readonly chain: readonly ChainLink[];
  readonly further: readonly FurtherCertificate[];
  /** Whether the private key is on this node; absent where it has no file of its own. */
  readonly key?: 'present' | 'missing';
  /** True if its CA (for a CA itself) has its certificate here and its key elsewhere, so that it cannot be renewed here. */
  readonly externallyManaged: boolean;
  /** Whether the signatures lead to the CA that its users trust; absent where nobody asks for that. */
  readonly verified?: boolean;
  readonly findings: readonly Finding[];
}

/** All certificates of a node. */
export interface CertificateInventory {
  readonly node: string;
  readonly role: NodeRole;
  readonly time: Date;
  /** What said where they are and which names they are to have. */
  readonly configuration: ConfigurationSource;
  readonly certificatesDir: string;
  /** False if nothing tells which names they are to have. */
  readonly namesCompared: boolean;
  readonly entries: readonly InventoryEntry[];
  /** About the configuration. */
  readonly warnings: readonly Finding[];
}

/**
 * Looks at all certificates of a node: those in the folder of certificates, in kubeconfigs, and those of the kubelet. Changes nothing and needs
 * no rights beyond reading: what cannot be read is told as such.
 *
 * @throws GroundplaneError of kind usage for a given configuration that cannot be used
 */
export async function certificateInventory(request: InventoryRequest): Promise<CertificateInventory> {
  const { ports, now } = request;
  const { host } = ports;
  const role = request.role ?? (await nodeRole(host));
  const found = role === 'worker' ? await ofWorker(request) : await ofControlPlane(request);
  const { context, layout, rows, source, namesCompared, warnings } = found;
  const looked = new Map(await Promise.all(rows.map(async (row) => [row.name, await lookAt(host, row)] as const)));
  const authorities = new Map(
    rows
      .filter(({ kind }) => kind === 'authority')
      .flatMap(({ name }) => {
        const text = looked.get(name)?.text;
        return text === undefined || splitCertificates(text).length === 0 ? [] : [[name, text] as const];
      }),
  );
  const external = new Map(rows.map((row) => [row.name, isExternal(row, looked)]));
  const pem = filePathOf(kubeletClientCertificate, layout);
  const files: Record<string, string> = {};
  for (const row of rows) {
    const text = looked.get(row.name)?.text;
    if (text !== undefined && (row.path === pem || row.kind === 'authority')) files[row.path] = text;
  }
  const shared = await sharedAuthorityFindings(
    rows.flatMap(({ name, path: place }) => {
      const text = authorities.get(name);
      return text === undefined ? [] : [{ name, place, text }];
    }),
  );
  const entries = await Promise.all(
    rows.map(async (row): Promise<InventoryEntry> => {
      const file = looked.get(row.name) ?? { state: 'missing' as const };
      const content = await contentOf(row, file, { authorities, files });
      const { text, key, trusted, ...shown } = content;
      const authority = row.authority === undefined ? undefined : authorities.get(row.authority);
      const judged = {
        row,
        file: file.text,
        certificate: text,
        key,
        trusted,
        authority,
        files,
        context,
        namesCompared,
        now,
      };
      const externallyManaged = external.get(row.authority ?? row.name) ?? false;
      const keyIsMissing = file.key === 'missing';
      const findings = [
        ...(await inventoryFindings({ ...judged, ...shown, keyIsMissing, externallyManaged })),
        ...shared.filter(({ artifact }) => row.kind === 'authority' && artifact === row.path),
      ];
      return {
        ...row,
        ...shown,
        ...(file.key === undefined ? {} : { key: file.key }),
        externallyManaged,
        ...(row.authority === undefined || shown.state !== 'present'
          ? {}
          : { verified: authority !== undefined && isVerified(findings) }),
        findings,
      };
    }),
  );
  return {
    node: layout.nodeName,
    role,
    time: now,
    configuration: source,
    certificatesDir: folderOf(layout),
    namesCompared,
    entries,
    warnings,
  };
}

interface Rows {
  readonly context: InitContext;
  readonly layout: Layout;
  readonly rows: readonly InventoryRow[];
  readonly source: ConfigurationSource;
  readonly namesCompared: boolean;
  readonly warnings: readonly Finding[];
}

async function ofControlPlane(request: InventoryRequest): Promise<Rows> {
  const { context: found, source, assumed, warnings } = await nodeConfiguration(request);
  const { certificatesDir = found.cluster.certificatesDir } = request;
  const context = { ...found, cluster: { ...found.cluster, certificatesDir } };
  const layout = layoutOf(context);
  const serving = await servingCertificate(request.ports.host, layout);
  return {
    context,
    layout,
    rows: controlPlaneRows(context, serving),
    source,
    namesCompared: source !== 'defaults' && !assumed.has('names'),
    warnings,
  };
}

async function ofWorker(request: InventoryRequest): Promise<Rows> {
  const found = await joinedNodeConfiguration(request);
  const context = withCertificatesIn(request.certificatesDir, found.context);
  const layout = joinLayoutOf(context);
  const serving = await servingCertificate(request.ports.host, layout);
  return {
    context,
    layout,
    rows: workerRows(context, serving),
    source: found.source,
    namesCompared: true,
    warnings: found.warnings,
  };
}

/** Of a worker that where the CA is. */
function folderOf({ certificateAuthority, pki }: Layout): string {
  return certificateAuthority === undefined ? pki : certificateAuthority.replace(/\/[^/]*$/, '') || '/';
}

/** Whoever names the folder means the CA in it, too. */
function withCertificatesIn(certificatesDir: string | undefined, context: JoinContext): JoinContext {
  if (certificatesDir === undefined) return context;
  return {
    ...context,
    cluster: { ...context.cluster, certificatesDir },
    join: { ...context.join, caCertPath: `${certificatesDir}/ca.crt` },
  };
}

/** The file that the kubelet serves with: the one it was told of, the one that the cluster signed, or its own. */
async function servingCertificate(host: Host, layout: Layout): Promise<string> {
  const { kubelet } = layout;
  const told = await silently(async () => {
    const text = await readText(host, `${kubelet}/config.yaml`);
    const path = text === undefined ? undefined : parseKubeletConfig(text, 'config.yaml').tlsCertFile;
    return typeof path === 'string' && path.startsWith('/') ? path : undefined;
  });
  if (told !== undefined) return told;
  const folder = filePathOf(kubeletClientCertificate, layout).replace(/\/[^/]*$/, '');
  const signed = `${folder}/kubelet-server-current.pem`;
  const status = await silently(() => host.files.status(signed));
  return status === undefined ? `${folder}/kubelet.crt` : signed;
}

/** kubeadm: phases/certs, UsingExternalCA, without the look at what the CA has signed. */
function isExternal({ kind, name }: InventoryRow, looked: ReadonlyMap<string, LookedAt>): boolean {
  const file = looked.get(name);
  return kind === 'authority' && file?.state !== 'missing' && file?.key === 'missing';
}
