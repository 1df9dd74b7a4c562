import type { AccessQuestion } from './access-question.ts';
import { type Decision, decide } from './decide.ts';
import { type Grant, grantsOf } from './grants.ts';
import { type Identity, nodeNameOf } from './identity.ts';
import type { NodeGraph } from './node-graph.ts';
import { type NodeRule, nodeRules } from './node-rules.ts';
import { parseQuestion, type QuestionText } from './parse-question.ts';
import { knownSubjects, parseSubject } from './parse-subject.ts';

/** What somebody may do in a new cluster, by which object, why, and who needs it when. */
export interface Explanation {
  /** As it was written. */
  readonly subject: string;
  readonly identity: Identity;
  /** Who that is; absent for somebody whom bootstrap does not know by name. */
  readonly description?: string;
  /** Every binding that is for this identity, those of bootstrap first. */
  readonly grants: readonly Grant[];
  /** What kubelets may do besides, without any binding; empty for anybody else. */
  readonly nodeRules: readonly NodeRule[];
}

/** The answer to a question about somebody. */
export interface Answer extends Decision {
  readonly subject: string;
  readonly identity: Identity;
  readonly description?: string;
  readonly question: AccessQuestion;
  /** What may have been meant in another way. */
  readonly notes: readonly string[];
}

/**
 * What a subject is granted.
 *
 * @param subject in the forms of `parseSubject`
 * @throws GroundplaneError RBAC_SUBJECT_UNKNOWN
 */
export function explain(subject: string): Explanation {
  const identity = parseSubject(subject);
  return {
    ...describe(subject, identity),
    grants: grantsOf(identity),
    nodeRules: nodeNameOf(identity) === undefined ? [] : nodeRules(),
  };
}

/**
 * Whether a subject may do something, and by which rule.
 *
 * @param subject in the forms of `parseSubject`
 * @param question in the spelling of `kubectl auth can-i`
 * @param options.graph what belongs to which node; without it questions that hang on it are answered with `depends`
 * @throws GroundplaneError RBAC_SUBJECT_UNKNOWN, RBAC_RESOURCE_UNKNOWN, RBAC_QUESTION_INVALID
 */
export function explainAccess(
  subject: string,
  question: QuestionText,
  options: { readonly graph?: NodeGraph } = {},
): Answer {
  const identity = parseSubject(subject);
  const parsed = parseQuestion(question);
  return { ...describe(subject, identity), ...parsed, ...decide(identity, parsed.question, options) };
}

function describe(subject: string, identity: Identity): Pick<Explanation, 'subject' | 'identity' | 'description'> {
  const known = knownSubjects.find(
    ({ identity: { user, groups } }) => user === identity.user && groups.join() === identity.groups.join(),
  );
  return { subject, identity, ...(known === undefined ? {} : { description: known.description }) };
}
