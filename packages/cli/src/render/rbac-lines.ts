import {
  type Answer,
  type Drift,
  type Explanation,
  type Grant,
  type GrantedRule,
  type Identity,
  type NodeRule,
  policyRuleText,
  questionText,
  type SubjectRow,
  type Without,
} from '@groundplane/rbac';

/** A binding, and how a cluster deviates from it if it was compared with one. */
export type ListedGrant = Grant & { readonly drift?: readonly Drift[] };

interface Column {
  readonly title: string;
  readonly cell: (grant: ListedGrant) => string;
}

const columns: readonly Column[] = [
  { title: 'BINDING', cell: ({ binding }) => binding.name },
  { title: 'NAMESPACE', cell: ({ namespace = '' }) => namespace },
  {
    title: 'ROLE',
    cell: ({ role, binding }) => (role.name === binding.name ? role.kind : `${role.kind} ${role.name}`),
  },
  { title: 'SUBJECTS', cell: ({ subjects }) => subjects.map(subjectText).join(', ') },
  { title: 'RIGHTS', cell: ({ rules }) => rules.map(({ rule }) => policyRuleText(rule)).join('; ') },
  { title: 'WRITTEN BY', cell: ({ writtenBy = '' }) => writtenBy },
  { title: 'REASON', cell: ({ reason }) => reason },
];

const driftColumn: Column = {
  title: 'CLUSTER',
  cell: ({ drift = [] }) => (drift.length === 0 ? 'same' : drift.map(driftText).join(', ')),
};

/** A table of bindings: one line each, below a line of titles. */
export function rbacTable(grants: readonly ListedGrant[]): readonly string[] {
  const isCompared = grants.some(({ drift }) => drift !== undefined);
  const [first, ...others] = columns;
  const shown = first === undefined ? [] : [first, ...(isCompared ? [driftColumn] : []), ...others];
  const table = [shown.map(({ title }) => title), ...grants.map((grant) => shown.map(({ cell }) => cell(grant)))];
  const widths = shown.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function driftText({ object, state, fields }: Drift): string {
  return state === 'missing' ? `${object} missing` : `${object} differs in ${fields.join(' and ')}`;
}

/** Everything that somebody may do, in paragraphs. */
export function explanationLines({ identity, description, grants, nodeRules }: Explanation): readonly string[] {
  const title = identityText(identity, description);
  if (grants.length === 0 && nodeRules.length === 0) return [title, '', 'Nothing is granted.'];
  return [
    title,
    ...grants.flatMap((grant) => ['', ...grantLines(grant, grant.rules)]),
    ...(nodeRules.length === 0 ? [] : ['', ...nodeLines(nodeRules)]),
  ];
}

/** Whether somebody may do something, and why. */
export function answerLines({ answer, identity, description, question, reason, grantedBy }: Answer): readonly string[] {
  const grants = [...new Set(grantedBy.map(({ grant }) => grant))];
  return [
    `${answer}: ${questionText(question)}`,
    `  ${reason}`,
    '',
    identityText(identity, description),
    ...grants.flatMap((grant) => [
      '',
      ...grantLines(
        grant,
        grantedBy.flatMap((one) => (one.grant === grant ? [one.rule] : [])),
      ),
    ]),
  ];
}

function identityText({ user, groups }: Identity, description: string | undefined): string {
  const who = user === '' ? `a member of ${groups.join(', ')}` : `user ${user}, groups ${groups.join(', ')}`;
  return description === undefined ? who : `${who} (${description})`;
}

function grantLines(grant: Grant, rules: readonly GrantedRule[]): readonly string[] {
  const { role, binding, namespace, subjects, neededBy, writtenBy, kubeadmFile, onlyWith } = grant;
  const where = onlyWith === undefined ? '' : `, where a ${onlyWith} is given`;
  const maker = grant.source === 'bootstrap' ? `phase ${writtenBy}${where}` : 'kube-apiserver at its start';
  return [
    `${binding.kind} ${binding.name}${namespace === undefined ? '' : ` in ${namespace}`}: ${role.kind} ${role.name} for ${subjects.map(subjectText).join(', ')}`,
    `  why      ${grant.reason}`,
    ...rules.map(
      ({ rule, reason }) => `  may      ${policyRuleText(rule)}${reason === undefined ? '' : ` (${reason})`}`,
    ),
    ...neededBy.map(({ step, does }) => `  needed   ${step}: ${does}`),
    ...[...new Set(rules.flatMap(({ without }) => (without === undefined ? [] : [withoutText(without)])))].map(
      (text) => `  without  ${text}`,
    ),
    `  made by  ${maker}${kubeadmFile === undefined ? '' : `; in kubeadm ${kubeadmFile}`}`,
  ];
}

function nodeLines(rules: readonly NodeRule[]): readonly string[] {
  return [
    'Node authorizer of kube-apiserver, without any binding:',
    ...rules.map(({ rule, scope }) => `  may      ${policyRuleText(rule)}${scope === undefined ? '' : ` (${scope})`}`),
  ];
}

function subjectText(subject: SubjectRow): string {
  return subject.kind === 'ServiceAccount'
    ? `ServiceAccount ${subject.namespace}/${subject.name}`
    : `${subject.kind} ${subject.name}`;
}

function withoutText(without: Without): string {
  if ('otherwise' in without) return `nothing fails: ${without.otherwise}`;
  return 'fails' in without
    ? `${without.fails} fails: ${without.shows}`
    : `nothing here fails, kept as ${without.keptFor} has it: ${without.because}`;
}
