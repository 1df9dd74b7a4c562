import type { BootstrapRole, Without } from '../src/bootstrap-role.ts';

/** What is wrong with rows of the table, in words; empty if nothing is. */
export function tableFaults(rows: readonly BootstrapRole[]): readonly string[] {
  return rows.flatMap((row) => [...rowFaults(row), ...grantFaults(row)].map((fault) => `${row.name}: ${fault}`));
}

function rowFaults(row: BootstrapRole): readonly string[] {
  const faults: string[] = [];
  if (!isSentence(row.reason)) faults.push('the binding has no reason');
  if (row.subjects.length === 0) faults.push('it is for nobody');
  if (row.neededBy.length === 0) faults.push('nobody is said to need it');
  for (const { step, does } of row.neededBy) if (step === '' || does.length < 10) faults.push('a need says too little');
  if (row.onlyWith === undefined && !/^phases\/.+\.go$/.test(row.kubeadmFile ?? ''))
    faults.push('the file of kubeadm is not named');
  for (const { kind, name } of row.subjects) {
    if (tooWide.includes(name)) faults.push(`it is for ${name}`);
    if (kind === 'User' && name === 'system:anonymous' && !('rules' in row))
      faults.push('nobody logs in, and it has no rules of its own');
  }
  return faults;
}

const tooWide = ['system:unauthenticated', 'system:authenticated', 'system:masters', 'system:serviceaccounts'];

function grantFaults(row: BootstrapRole): readonly string[] {
  if (!('rules' in row)) return withoutFaults(row.without);
  if (row.rules.length === 0) return ['the role has no rules'];
  return row.rules.flatMap((rule) => {
    const faults = [...withoutFaults(rule.without)];
    const values: readonly string[] = [
      ...rule.verbs,
      ...rule.apiGroups,
      ...rule.resources,
      ...(rule.resourceNames ?? []),
    ];
    if (values.some((value) => value.includes('*'))) faults.push('a rule has a wildcard');
    if (!isSentence(rule.reason)) faults.push('a rule has no reason');
    if ([rule.verbs, rule.apiGroups, rule.resources].some((list) => list.length === 0))
      faults.push('a rule grants nothing');
    const isNamed = rule.resourceNames !== undefined && rule.resourceNames.length > 0;
    const holdsData = rule.resources.some((resource) => ['configmaps', 'secrets'].includes(resource));
    if (holdsData && (!isNamed || rule.verbs.join() !== 'get'))
      faults.push('a rule gives more than to get ConfigMaps or Secrets by name');
    // list, watch and create do not look at names (kubernetes.io/docs/reference/access-authn-authz/rbac, resourceNames).
    if (isNamed && rule.verbs.some((verb) => ['list', 'watch', 'create'].includes(verb)))
      faults.push('a name goes with a verb that looks at none');
    return faults;
  });
}

function withoutFaults(without: Without): readonly string[] {
  if ('fails' in without)
    return without.fails === '' || without.shows.length < 10 ? ['what fails without it is not told'] : [];
  if ('otherwise' in without) return without.otherwise.length < 10 ? ['what happens without it is not told'] : [];
  return /^phases\/.+\.go$/.test(without.keptFor) && without.because.length >= 10 ? [] : ['why it is kept is not told'];
}

/** A beginning in capitals or a name, and no full stop: the texts are joined to others. */
function isSentence(text: string): boolean {
  return text.length > 20 && !text.endsWith('.');
}
