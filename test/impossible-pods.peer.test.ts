import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderStaticPod, verifyStaticPod } from '../packages/controlplane/dist/index.js';
import { factsOf } from '../packages/controlplane/test/golden-configurations.ts';
import { impossiblePods } from '../packages/controlplane/test/impossible-pods.ts';
import { podTypesModule } from '../scripts/pod-types.ts';
import { type RbacCluster, type Reply, startRbacCluster } from './rbac-cluster.ts';

/** What is refused of a static pod's fields, held against the real API server: it decodes and validates pods by the same code as the kubelet. */

const facts = factsOf({ name: 'impossible', cluster: {} });
const pod = () => structuredClone(renderStaticPod('kube-scheduler', facts));

let cluster: RbacCluster;
/** Unknown fields are passed over, as the kubelet does. */
const create = (body: object): Promise<Reply> =>
  cluster.call('POST', '/api/v1/namespaces/kube-system/pods?dryRun=All&fieldValidation=Ignore', { body });

async function until(status: number, act: () => Promise<Reply>): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(200)) if ((await act()).status === status) return;
  throw new Error(`the API server did not answer ${status} in time`);
}

beforeAll(async () => {
  cluster = await startRbacCluster(process.env.GROUNDPLANE_COMPONENTS ?? '');
  const metadata = { name: 'default', namespace: 'kube-system' };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  await until(201, () => cluster.call('POST', '/api/v1/namespaces/kube-system/serviceaccounts', { body: account }));
  // Priority classes come with the API server's own objects.
  await until(201, () => create(pod()));
}, 90_000);
afterAll(() => cluster?.stop());

describe('a static pod that no kubelet takes', () => {
  it.each(impossiblePods.filter(({ byKubelet }) => byKubelet !== true).map((row) => [row.name, row] as const))(
    'is refused by the API server as well: %s',
    async (_, { change, path }) => {
      const changed = pod();
      change(changed);
      const { status, body } = await create(changed);
      const { message, details } = JSON.parse(body) as {
        message: string;
        details?: { causes?: readonly { field: string }[] };
      };
      expect([400, 422], message).toContain(status);
      // What cannot be decoded has no path of a field.
      if (status === 422) {
        // Of mounts the API server does not say which.
        const found = details?.causes?.map(({ field }) => field) ?? [];
        const [wanted, ...named] = [path, ...found].map((field) => field.replaceAll(/\[\d+\]/g, ''));
        expect(
          named.some((field) => field.startsWith(wanted ?? '') || wanted?.startsWith(field)),
          `${path}: ${found}`,
        ).toBe(true);
      }
    },
  );

  it.each(impossiblePods.filter(({ byKubelet }) => byKubelet === true).map((row) => [row.name, row] as const))(
    'is taken by the API server where the kubelet alone refuses it: %s',
    async (_, { change }) => {
      const changed = pod();
      change(changed);
      expect(await create(changed)).toMatchObject({ status: 201 });
      expect(verifyStaticPod('kube-scheduler', changed, facts).map(({ severity }) => severity)).toContain('error');
    },
  );
});

it('knows the fields of a Pod as the API server describes them', async () => {
  const { body } = await cluster.call('GET', '/openapi/v3/api/v1');
  const written = readFileSync(new URL('../packages/controlplane/src/pod-types.ts', import.meta.url), 'utf8');
  expect(written).toBe(podTypesModule(JSON.parse(body)));
});
