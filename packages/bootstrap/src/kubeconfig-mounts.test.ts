import { kubeconfigTable } from '@groundplane/kubeconfig';
import { expect, test } from 'vitest';
import { initContext } from '../test/init-world.ts';
import { mountFindings } from './kubeconfig-mounts.ts';

const [row] = kubeconfigTable.filter(({ name }) => name === 'scheduler');
if (row === undefined) throw new Error('the table has no scheduler');

const kubeconfig = (user: object) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'a', cluster: { server: 'https://192.0.2.10:6443', 'certificate-authority-data': 'YQ==' } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    users: [{ name: 'a', user }],
    'current-context': 'a',
  });
const inside = { 'client-certificate-data': 'YQ==', 'client-key-data': 'YQ==' };
const place = '/etc/kubernetes/scheduler.conf';
/** A configuration by which no pod can be rendered. */
const unasked = new Proxy({} as Awaited<ReturnType<typeof initContext>>, {
  get(_, field) {
    throw new Error(`asked for ${String(field)}`);
  },
});

test('a kubeconfig that holds all itself asks nothing of its pod', () => {
  expect(mountFindings(kubeconfig(inside), { row, place, config: unasked })).toEqual([]);
});

test('a file that the container does not hold is warned of', async () => {
  const text = kubeconfig({ ...inside, tokenFile: '/srv/token' });
  expect(mountFindings(text, { row, place, config: await initContext() })).toMatchObject([
    {
      code: 'BOOTSTRAP_KUBECONFIG_FILE_NOT_MOUNTED',
      severity: 'warning',
      message: expect.stringContaining('/srv/token'),
    },
  ]);
});
