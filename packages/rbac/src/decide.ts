import type { AccessQuestion } from './access-question.ts';
import { type Grant, type GrantedRule, grantsOf } from './grants.ts';
import { type Identity, nodeNameOf } from './identity.ts';
import { type NodeDecision, nodeDecision } from './node-authorizer.ts';
import type { NodeGraph } from './node-graph.ts';
import { allowsKind, ruleAllows } from './rule-allows.ts';

/** A grant, and those of its rules that answer the question with yes. */
export interface GrantingRule {
  readonly grant: Grant;
  readonly rule: GrantedRule;
}

/** The answer to one question about one identity, in a new cluster with what bootstrap and Kubernetes grant. */
export interface Decision {
  /** `depends`: on objects that are not known here. */
  readonly answer: 'yes' | 'no' | 'depends';
  /** The rules that say yes, those of bootstrap first. */
  readonly grantedBy: readonly GrantingRule[];
  /** What the Node authorizer says; for kubelets alone. */
  readonly node?: NodeDecision;
  /** Why, in one sentence without a full stop. */
  readonly reason: string;
}

/**
 * Whether an identity may do something: what the authorizers Node and RBAC answer in a new cluster, before admission.
 *
 * @param identity whom it is about
 * @param options.graph what belongs to which node; without it questions that hang on it are answered with `depends`
 */
export function decide(
  identity: Identity,
  question: AccessQuestion,
  { graph }: { readonly graph?: NodeGraph } = {},
): Decision {
  const grants = grantsOf(identity);
  const grantedBy = grants
    .filter((grant) => isInScope(grant, question))
    .flatMap((grant) => grant.rules.filter(({ rule }) => ruleAllows(rule, question)).map((rule) => ({ grant, rule })));
  const nodeName = nodeNameOf(identity);
  const node = nodeName === undefined ? undefined : nodeDecision(nodeName, question, graph);
  const base = { grantedBy, ...(node === undefined ? {} : { node }) };
  const [first] = grantedBy;
  if (first !== undefined) return { ...base, answer: 'yes', reason: grantText(first.grant) };
  if (node !== undefined && (node.answer !== 'no' || node.because !== undefined)) {
    return { ...base, answer: node.answer, reason: `the Node authorizer: ${node.because ?? 'every kubelet may'}` };
  }
  return {
    ...base,
    answer: 'no',
    reason: nearMisses(grants, question) ?? 'nothing grants it',
  };
}

/** A RoleBinding grants in its namespace alone. */
function isInScope({ namespace }: Grant, question: AccessQuestion): boolean {
  return namespace === undefined || (!('path' in question) && question.namespace === namespace);
}

function grantText({ role, binding, namespace }: Grant): string {
  return `${binding.kind} ${binding.name}${namespace === undefined ? '' : ` in ${namespace}`} gives ${role.kind} ${role.name}`;
}

/** What would be granted for another name, or in another namespace. */
function nearMisses(grants: readonly Grant[], question: AccessQuestion): string | undefined {
  if ('path' in question) return undefined;
  const near = grants.flatMap((grant) =>
    grant.rules
      .filter(({ rule }) => allowsKind(rule, question))
      .map(({ rule }) => ({ grant, names: rule.resourceNames })),
  );
  if (near.length === 0) return undefined;
  const texts = near.map(({ grant, names }) =>
    [
      ...(names === undefined ? [] : [`for the name ${names.join(' or ')}`]),
      ...(grant.namespace === undefined ? [] : [`in ${grant.namespace}`]),
    ].join(' '),
  );
  return `granted ${[...new Set(texts)].join(', ')} alone`;
}
