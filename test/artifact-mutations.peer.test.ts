import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type MutationRow, mutationTable, sampledMutations } from './artifact-mutation-table.ts';
import { artifactView } from './artifact-view.ts';
import { clusterDocument, initDocument } from './bad-input-row.ts';
import {
  type ArtifactOutcome,
  addPhases,
  artifactOutcome,
  putBack,
  type SavedFiles,
  savedFiles,
} from './mutated-artifact-node.ts';
import { copyOf, forbidden, kubeadmRefusal, mutationFolder, templateRoot, textOf } from './mutated-node.ts';
import { secretsBelow } from './secrets-below.ts';
import { treePicture } from './tree-picture.ts';

const initConfiguration = `${initDocument}---\n${clusterDocument}networking: { podSubnet: 10.244.0.0/16 }\n`;
const otherConfiguration = `${initDocument.replace('192.0.2.10', '192.0.2.99')}---\n${clusterDocument}clusterName: other\nnetworking: { serviceSubnet: 10.77.0.0/16, podSubnet: 10.77.0.0/16 }\n`;
/** The node is told of the cluster by a file; the CA in it is that of the root. */
const joinConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration: { name: node-a, criSocket: unix:///run/absent.sock }
discovery: { file: { kubeConfigPath: /srv/discovery.conf } }
timeouts: { discovery: 10s, kubernetesAPICall: 10s }
`;

interface MutatedNode {
  readonly root: string;
  readonly other: string;
  readonly saved: SavedFiles;
  readonly configText: string;
}

let nodes: Readonly<Record<MutationRow['artifact']['node'], MutatedNode>>;
let secrets: readonly string[];

beforeAll(async () => {
  const root = await controlPlane(initConfiguration, 'template');
  const other = await controlPlane(otherConfiguration, 'other');
  const node = (own: string, others: string, configText: string): MutatedNode => ({
    root: own,
    other: others,
    saved: savedFiles(own),
    configText,
  });
  nodes = {
    'control plane': node(root, other, initConfiguration),
    'joining worker': node(worker(root, 'joining'), worker(other, 'others-joining'), joinConfiguration),
    'joined worker': node(worker(root, 'joined', true), worker(other, 'others-joined', true), joinConfiguration),
  };
  secrets = [root, other].flatMap(secretsBelow);
});
afterAll(() => rmSync(mutationFolder, { recursive: true, force: true }));

async function controlPlane(configuration: string, name: string): Promise<string> {
  const root = templateRoot(configuration, name);
  await addPhases(root, configuration, ['etcd', 'control-plane', 'kubelet-start']);
  return root;
}

/** A worker of the cluster of a control plane; its kubelet has, or asks with, the credentials of the kubelet there. */
function worker(controlPlaneRoot: string, name: string, isJoined = false): string {
  const root = join(mutationFolder, name);
  const from = (path: string) => readFileSync(join(controlPlaneRoot, path), 'utf8');
  const put = (path: string, text: string, mode = 0o600) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
  };
  for (const path of ['config.yaml', 'instance-config.yaml', 'kubeadm-flags.env']) {
    put(`var/lib/kubelet/${path}`, from(`var/lib/kubelet/${path}`), 0o644);
  }
  put('etc/kubernetes/pki/ca.crt', from('etc/kubernetes/pki/ca.crt'), 0o644);
  const kubeconfig = from('etc/kubernetes/kubelet.conf');
  put('srv/discovery.conf', kubeconfig);
  if (!isJoined) {
    put('etc/kubernetes/bootstrap-kubelet.conf', kubeconfig);
    return root;
  }
  const document = parse(kubeconfig) as { users: { user: Record<string, string> }[] };
  const user = document.users[0]?.user ?? {};
  const data = (field: string) => Buffer.from(user[field] ?? '', 'base64').toString();
  const pem = '/var/lib/kubelet/pki/kubelet-client-current.pem';
  put(pem, data('client-certificate-data') + data('client-key-data'));
  for (const entry of document.users) entry.user = { 'client-certificate': pem, 'client-key': pem };
  put('etc/kubernetes/kubelet.conf', stringify(document));
  return root;
}

interface Attempt extends ArtifactOutcome {
  /** Whether other programs see what has changed. */
  readonly isSeen: boolean;
  readonly wrote: boolean;
}

async function attempt({ artifact, change }: MutationRow): Promise<Attempt> {
  const { root, other, saved, configText } = nodes[artifact.node];
  const { path, content, workflow, issuer, phase: skip, only } = artifact;
  const place = join(root, path);
  try {
    const before = artifactView(place, content);
    artifact.changes[change]?.({ root, other, path, issuer });
    const isSeen = artifactView(place, content) !== before;
    const picture = treePicture(root);
    const outcome = await artifactOutcome({ root, workflow, configText, skip, only });
    return { ...outcome, isSeen, wrote: treePicture(root).join() !== picture.join() };
  } finally {
    putBack(place, saved);
    if (artifact.beside !== undefined) putBack(join(root, artifact.beside), saved);
  }
}

const rows = process.env.GROUNDPLANE_TEST_FULL === '1' ? mutationTable : sampledMutations;
const called = ({ artifact }: MutationRow) => `${artifact.path} of a ${artifact.node}`;
const artifacts = [...new Set(rows.map(called))];

it('the files as they are are accepted', async () => {
  for (const { root, configText } of Object.values(nodes)) {
    const workflow = configText === initConfiguration ? 'init' : 'join';
    expect(await artifactOutcome({ root, workflow, configText })).toEqual({ warnings: [] });
  }
});

it('most changes are refused', () => {
  expect(rows.filter(({ verdict }) => verdict === 'refused').length).toBeGreaterThan(150);
  expect(rows.filter(({ verdict, why }) => verdict !== 'refused' && why === '')).toEqual([]);
});

describe.each(artifacts)('%s', (name) => {
  it('is refused, warned of or accepted as the table says', async () => {
    for (const row of rows.filter((candidate) => called(candidate) === name)) {
      const result = await attempt(row);
      const label = `${name}: ${row.change}`;
      if (!result.isSeen) {
        expect(row.verdict, `${label}: nobody sees a difference`).toBe('legal');
        continue;
      }
      check(row, label, result);
    }
  }, 600_000);
});

/** What the real kubeadm can be asked about in a root; for an external CA it looks at the kubeconfigs of this machine. */
const ofKubeadm = mutationTable.filter(
  ({ artifact: { node, path }, verdict, change }) =>
    node === 'control plane' &&
    verdict !== 'refused' &&
    // It would write to where the link leads.
    change !== 'a link to nowhere' &&
    change !== 'open to all' &&
    (path.includes('/pki/') || path.endsWith('.conf')) &&
    !path.endsWith('/pki/ca.key'),
);

it.each(ofKubeadm.map((row) => [called(row), row.change, row.kubeadmRefuses ? 'refuses' : 'accepts', row] as const))(
  '%s, %s: kubeadm %s it',
  async (_, change, verdict, { artifact }) => {
    const { root, other, configText } = nodes[artifact.node];
    const copy = copyOf(root);
    artifact.changes[change]?.({ root: copy, other, path: artifact.path, issuer: artifact.issuer });
    const refusal = await kubeadmRefusal(copy, configText);
    expect(refusal === undefined ? 'accepts' : 'refuses', refusal).toBe(verdict);
    rmSync(copy, { recursive: true });
  },
);

function check({ artifact: { path }, verdict }: MutationRow, label: string, { error, warnings, wrote }: Attempt): void {
  const text = error === undefined ? '' : textOf(error);
  const about = warnings.filter((finding) => `${finding.message} ${finding.hint}`.includes(path));
  const is = error === undefined ? (about.length > 0 ? 'warned' : 'legal') : 'refused';
  expect(is, `${label}\n${text}${JSON.stringify(about)}`).toBe(verdict);
  expect(wrote, label).toBe(false);
  for (const { hint } of about) expect(hint, label).toBeTruthy();
  if (error === undefined) return;
  expect(text, label).toContain(path);
  expect(text, label).not.toMatch(forbidden);
  expect(
    secrets.filter((secret) => text.includes(secret)),
    label,
  ).toEqual([]);
  // What names the file says how to mend it.
  const named = error.findings.filter((finding) => `${finding.message} ${finding.hint}`.includes(path));
  expect(named.length + (error.message.includes(path) ? 1 : 0), label).toBeGreaterThan(0);
  for (const { hint } of named) expect(hint, label).toBeTruthy();
}
