import fc from 'fast-check';
import {
  type AccessQuestion,
  allGrants,
  type GrantedRule,
  groupIdentity,
  type Identity,
  knownSubjects,
  nodeIdentity,
  nodeRules,
  serviceAccountIdentity,
  tokenIdentity,
  userIdentity,
} from '../packages/rbac/dist/index.js';
import type { DiscoveredResource } from './rbac-cluster.ts';

/** One question about somebody. */
export interface SampledQuestion {
  readonly identity: Identity;
  readonly question: AccessQuestion;
}

interface Sample {
  readonly seed: number;
  readonly count: number;
  readonly discovered: readonly DiscoveredResource[];
}

/**
 * Questions over identities, verbs, resources, subresources, namespaces, names and paths: half of them at random, half close to what some
 * rule grants, so that yes and no both come up often.
 */
export function sampledQuestions({ seed, count, discovered }: Sample): readonly SampledQuestion[] {
  const nodes = fc.constantFrom('node-a', 'node-b', 'unknown').map(nodeIdentity);
  const identity = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...knownSubjects.map((known) => known.identity)) },
    { weight: 1, arbitrary: nodes },
    { weight: 1, arbitrary: fc.constantFrom(...controllers) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
  const question = fc.oneof(
    { weight: 8, arbitrary: nearRule(grantedRules) },
    { weight: 5, arbitrary: anyObject(discovered) },
    { weight: 1, arbitrary: anyPath },
  );
  const sample = fc.oneof(
    { weight: 3, arbitrary: fc.record({ identity, question }) },
    { weight: 1, arbitrary: fc.record({ identity: nodes, question: nearRule(rulesOfNodes) }) },
  );
  return fc.sample(sample, { seed, numRuns: count });
}

const controllers = allGrants().flatMap(({ subjects }) =>
  subjects.flatMap((subject) =>
    subject.kind === 'ServiceAccount' ? [serviceAccountIdentity(subject.namespace, subject.name)] : [],
  ),
);

const others: readonly Identity[] = [
  userIdentity('jane'),
  userIdentity('system:kube-proxy'),
  userIdentity('system:node:node-a'),
  userIdentity('system:node:', 'system:nodes'),
  userIdentity('jane', 'system:monitoring'),
  userIdentity('jane', 'kubeadm:cluster-admins'),
  tokenIdentity('abcdef', []),
  tokenIdentity('abcdef', ['system:bootstrappers:other']),
  groupIdentity('system:bootstrappers:other'),
  serviceAccountIdentity('default', 'coredns'),
  serviceAccountIdentity('default', 'used-by-pod'),
];

const names = fc.constantFrom(
  'cluster-info',
  'kubeadm-config',
  'kubelet-config',
  'kubeadm-certs',
  'kube-proxy',
  'extension-apiserver-authentication',
  'node-a',
  'node-b',
  'used-by-pod',
  'used-by-pod',
  'used-by-pod',
  'unrelated',
  'kube-scheduler',
  'kubernetes.io/kube-apiserver-client-kubelet',
);
const namespaces = fc.constantFrom('kube-system', 'kube-public', 'kube-node-lease', 'default', 'elsewhere');
const verbs = fc.constantFrom(
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['impersonate', 'bind', 'escalate', 'approve', 'sign', 'proxy', 'use', '*', 'GET'],
);
const selectors = fc.constantFrom('node-a', 'node-b').map((value) => ({ field: 'spec.nodeName', value }));

/** Absent every other time. */
function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

/** Present one time in eight. */
function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.integer({ min: 1, max: 8 }).chain((roll) => (roll === 1 ? arbitrary : fc.constant(undefined)));
}

type Loose = {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly fieldSelector: { field: string; value: string } | undefined;
};

/** The API server reads field selectors of these three verbs alone. */
const selectingVerbs = ['list', 'watch', 'deletecollection'];

function tightened({ verb, group, resource, ...rest }: Loose): AccessQuestion {
  const optional = Object.entries(rest).filter(
    ([key, value]) => value !== undefined && (key !== 'fieldSelector' || selectingVerbs.includes(verb)),
  );
  return { verb, group, resource, ...Object.fromEntries(optional) };
}

function anyObject(discovered: readonly DiscoveredResource[]): fc.Arbitrary<AccessQuestion> {
  return fc
    .record({
      verb: verbs,
      kind: fc.constantFrom(...discovered),
      namespace: maybe(namespaces),
      name: maybe(names),
      fieldSelector: rarely(selectors),
    })
    .map(({ kind: { group, resource, subresource }, ...rest }) => tightened({ ...rest, group, resource, subresource }));
}

const anyPath: fc.Arbitrary<AccessQuestion> = fc.record({
  verb: fc.constantFrom('get', 'head', 'post', 'put', 'delete', '*'),
  path: fc.constantFrom(
    ...['/', '/api', '/api/', '/api/v1', '/apis', '/apis/apps', '/version', '/version/', '/versions', '/healthz'],
    ...['/healthz/etcd', '/livez', '/livez/', '/livez/ping', '/readyz', '/readyz/etcd', '/metrics', '/metrics/slis'],
    ...['/openapi', '/openapi/v2', '/openapi/v3', '/openid/v1/jwks', '/.well-known/openid-configuration', '/logs', '*'],
  ),
});

interface ScopedRule {
  readonly rule: GrantedRule['rule'];
  readonly namespace: string | undefined;
}

const grantedRules: readonly ScopedRule[] = allGrants()
  .flatMap(({ rules, namespace }) => rules.map(({ rule }) => ({ rule, namespace })))
  .filter(({ rule }) => rule.resources !== undefined);

const rulesOfNodes: readonly ScopedRule[] = nodeRules().flatMap(({ rule }) =>
  ['default', 'default', 'kube-node-lease'].map((namespace) => ({ rule, namespace })),
);

/** What some rule grants, now and then with one part changed. */
function nearRule(rules: readonly ScopedRule[]): fc.Arbitrary<AccessQuestion> {
  return fc.constantFrom(...rules).chain(({ rule, namespace }) =>
    fc
      .record({
        verb: fc.constantFrom(...rule.verbs),
        group: fc.constantFrom(...(rule.apiGroups ?? [])),
        resource: fc.constantFrom(...(rule.resources ?? [])),
        name: rule.resourceNames === undefined ? maybe(names) : fc.constantFrom(undefined, ...rule.resourceNames),
        namespace: fc.constantFrom(namespace, namespace, undefined, 'default'),
        fieldSelector: maybe(selectors),
        otherVerb: rarely(verbs),
        otherNamespace: rarely(namespaces),
        subresource: rarely(fc.constantFrom('status', 'log', 'token', 'proxy')),
      })
      .map(({ otherVerb, otherNamespace, ...question }) => {
        const [resource = '', subresource = question.subresource] = question.resource.split('/');
        return tightened({
          ...question,
          verb: otherVerb ?? question.verb,
          namespace: otherNamespace ?? question.namespace,
          resource,
          subresource,
        });
      }),
  );
}
