import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import type { FlagValue } from '../arguments/flag-row.ts';
import type { Handler, Invocation } from '../invocation.ts';
import { explainRbac } from './explain-rbac.ts';
import { listRbac } from './list-rbac.ts';

interface Call {
  readonly words?: readonly string[];
  readonly flags?: Readonly<Record<string, FlagValue>>;
}

async function callOf(handle: Handler, { words = [], flags = {} }: Call): Promise<{ stdout: string; stderr: string }> {
  const printed = { stdout: '', stderr: '' };
  const output = {
    stdout: (text: string) => {
      printed.stdout += text;
    },
    stderr: (text: string) => {
      printed.stderr += text;
    },
    columns: undefined,
  };
  const path = handle === listRbac ? ['rbac', 'list'] : ['rbac', 'explain'];
  await handle({ program: 'groundplane', path, words, flags, output } as unknown as Invocation);
  return printed;
}

const explained = (words: string, flags: Call['flags'] = {}) => callOf(explainRbac, { words: words.split(' '), flags });

describe('rbac explain', () => {
  it('tells what is granted, by which object, why, and who needs it when', async () => {
    const { stdout } = await explained('anonymous');
    expect(stdout).toBe(`user system:anonymous, groups system:unauthenticated (anybody without credentials)

RoleBinding kubeadm:bootstrap-signer-clusterinfo in kube-public: Role kubeadm:bootstrap-signer-clusterinfo for User system:anonymous
  why      A joining node has no credentials yet when it looks for the cluster; the token proves what it reads
  may      get configmaps named cluster-info (It holds the address and the CA of the cluster, signed by the tokens)
  needed   join: discovery: reads the address and the CA of the cluster without credentials
  without  join: discovery fails: the ConfigMap cluster-info is forbidden to system:anonymous until the time for discovery is over
  made by  phase bootstrap-token; in kubeadm phases/bootstraptoken/clusterinfo/clusterinfo.go

ClusterRoleBinding system:public-info-viewer: ClusterRole system:public-info-viewer for Group system:authenticated, Group system:unauthenticated
  why      Health and version are no secret; load balancers and wait-control-plane ask for them
  may      get /healthz, /livez, /readyz, /version, /version/
  made by  kube-apiserver at its start
`);
  });

  it('shows what the Node authorizer gives to a kubelet', async () => {
    const { stdout } = await explained('node:node-a');
    expect(stdout).toContain('\nNode authorizer of kube-apiserver, without any binding:\n');
    expect(stdout).toContain('\n  may      create, get, list, watch nodes (its own Node alone)\n');
    expect(stdout).toContain('Group system:nodes');
  });

  it.each([
    [
      'token get configmaps/kubeadm-config',
      { namespace: 'kube-system' },
      'yes: get configmaps named kubeadm-config in kube-system\n  RoleBinding kubeadm:nodes-kubeadm-config in kube-system gives Role kubeadm:nodes-kubeadm-config\n',
    ],
    [
      'token list configmaps',
      { namespace: 'kube-system' },
      'no: list configmaps in kube-system\n  nothing grants it\n',
    ],
    [
      'anonymous get cm',
      { namespace: 'kube-public' },
      'no: get configmaps in kube-public\n  granted for the name cluster-info in kube-public alone\n',
    ],
    ['anonymous get /livez', {}, 'yes: get /livez\n'],
    [
      'node:node-a get secrets/one',
      {},
      'depends: get secrets named one in default\n  the Node authorizer: only if a pod on the node uses it\n',
    ],
    ['group:kubeadm:cluster-admins delete deploy', { 'all-namespaces': true }, 'yes: delete deployments.apps\n'],
    [
      'kube-apiserver-kubelet-client create nodes/node-a',
      { subresource: 'proxy' },
      'yes: create nodes/proxy named node-a\n',
    ],
    [
      'serviceaccount:kube-system/certificate-controller sign signers.certificates.k8s.io/kubernetes.io/kubelet-serving',
      {},
      'yes: sign signers.certificates.k8s.io named kubernetes.io/kubelet-serving\n  ClusterRoleBinding system:controller:certificate-controller gives ',
    ],
    [
      'serviceaccount:kube-system/certificate-controller sign signers',
      {},
      'no: sign signers.certificates.k8s.io\n  granted for the name kubernetes.io/kube-apiserver-client or ',
    ],
    ['kubernetes-admin get po', { namespace: '' }, 'yes: get pods in default\n'],
    ['kubernetes-admin get po', { namespace: 'a\u001b[2J' }, 'yes: get pods in a\\x1b[2J\n'],
  ])('answers %s %j', async (words, flags, start) => {
    const { stdout, stderr } = await explained(words, flags);
    expect(stdout.slice(0, start.length)).toBe(start);
    expect(stderr).toBe('');
  });

  it('says on stderr what may have been meant in another way', async () => {
    const { stderr } = await explained('kubernetes-admin get pods/log');
    expect(stderr).toBe(
      'pods/log is the object named log, as in kubectl; for the subresource write pods --subresource log\n',
    );
  });

  it('shows no control characters', async () => {
    const { stderr } = await explained('kubernetes-admin \u001b[2J pods');
    expect(stderr).toMatch(/^\\x1b\[2J is no usual verb here/);
  });

  it('gives one document, or one line that says what it is', async () => {
    const json = await explained('token get nodes/node-a', { output: 'json' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      subject: 'token',
      question: { verb: 'get', group: '', resource: 'nodes', name: 'node-a' },
      answer: 'yes',
      grantedBy: [{ grant: { binding: { name: 'kubeadm:get-nodes' }, writtenBy: 'bootstrap-token' } }],
    });
    const jsonl = await explained('serviceaccount:kube-system/coredns', { output: 'jsonl' });
    expect(jsonl.stdout).toMatch(/^\{"type":"rbac-explain",.*\}\n$/);
    expect(JSON.parse(jsonl.stdout).grants[0]).toMatchObject({ role: { kind: 'ClusterRole', name: 'system:coredns' } });
  });

  it.each([
    ['nobody', [], {}, 'CLI_ARGUMENT_MISSING', /anonymous, token, .*node:NAME/],
    ['an unknown subject', ['somebody'], {}, 'RBAC_SUBJECT_UNKNOWN', /anonymous, token, .*node:NAME/],
    ['a verb alone', ['token', 'get'], {}, 'CLI_ARGUMENT_MISSING', /TYPE\/NAME/],
    ['a flag without a question', ['token'], { namespace: 'default' }, 'CLI_ARGUMENT_MISSING', undefined],
    ['an unknown resource', ['token', 'get', 'things'], {}, 'RBAC_RESOURCE_UNKNOWN', /TYPE\.GROUP/],
  ])('refuses %s', async (_, words, flags, code, hint) => {
    const error = await callOf(explainRbac, { words, flags }).catch((thrown: unknown) => thrown);
    if (!isGroundplaneError(error)) throw error;
    expect(error).toMatchObject({ code, kind: 'usage' });
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  });
});

describe('rbac list', () => {
  it('is a table with a line for each binding', async () => {
    const { stdout } = await callOf(listRbac, {});
    const [title, ...lines] = stdout.trimEnd().split('\n');
    expect(title).toMatch(/^BINDING +NAMESPACE +ROLE +SUBJECTS +RIGHTS +WRITTEN BY +REASON$/);
    expect(lines).toHaveLength(14);
    expect(lines[5]?.split(/ {2,}/)).toEqual([
      'kubeadm:get-nodes',
      'ClusterRole',
      'Group system:bootstrappers:kubeadm:default-node-token',
      'get nodes',
      'bootstrap-token',
      'A joining node checks that no node of its name exists and is Ready',
    ]);
  });

  it('is data for programs', async () => {
    const { grants } = JSON.parse((await callOf(listRbac, { flags: { output: 'json' } })).stdout);
    const lines = (await callOf(listRbac, { flags: { output: 'jsonl' } })).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(grants.map((grant: object) => ({ type: 'grant', ...grant })));
    expect(
      grants.every(
        ({ reason, neededBy, kubeadmFile, onlyWith }: Record<string, unknown>) =>
          reason && neededBy && (kubeadmFile || onlyWith),
      ),
    ).toBe(true);
  });
});
