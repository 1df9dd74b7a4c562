export { type AccessQuestion, questionText, type ResourceQuestion, type UrlQuestion } from './access-question.ts';
export { type ApiResource, apiResources, findApiResource, singularOf, virtualResources } from './api-resources.ts';
export type { BootstrapRole, NeedRow, RbacWriter, RuleRow, RuleVerb, SubjectRow, Without } from './bootstrap-role.ts';
export { bootstrapRoles } from './bootstrap-roles.ts';
export { type Decision, decide, type GrantingRule } from './decide.ts';
export type { DefaultRole } from './default-role.ts';
export { type Drift, driftOf } from './drift-of.ts';
export { rbacErrorCodes } from './error-codes.ts';
export { type Answer, type Explanation, explain, explainAccess } from './explain.ts';
export { allGrants, defaultRoles, type Grant, type GrantedRule, grantsOf, isMeant } from './grants.ts';
export {
  anonymous,
  groupIdentity,
  type Identity,
  nodeIdentity,
  nodeTokenGroup,
  serviceAccountIdentity,
  tokenIdentity,
  userIdentity,
} from './identity.ts';
export { emptyNodeGraph, type NodeGraph, type NodeRelated } from './node-graph.ts';
export { type NodeRule, nodeRules } from './node-rules.ts';
export { type ParsedQuestion, parseQuestion, type QuestionText } from './parse-question.ts';
export { type KnownSubject, knownSubjects, parseSubject, subjectForms } from './parse-subject.ts';
export { parsePolicyRule, policyRuleText } from './policy-rule.ts';
export { allRbacObjects, objectsOf, type RbacObject, rbacObjects } from './rbac-objects.ts';
export { reasonFor } from './reason-for.ts';
export { type ReconciledRows, reconciledRows } from './reconciled-rows.ts';
