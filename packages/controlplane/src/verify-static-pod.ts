import type { Finding, Severity } from '@groundplane/errors';
import type { Container, FieldProblem, Pod } from '@groundplane/manifest';
import { endpointAnnotations } from './component-table.ts';
import type { ControlPlaneComponent, ControlPlaneFacts } from './control-plane-facts.ts';
import { type FlagHazard, flagHazards } from './flag-hazards.ts';
import { type FlagValues, flagValues } from './flag-values.ts';
import { componentImage } from './image-references.ts';
import { isPod, isPodKind, withoutNulls } from './is-pod.ts';
import { judgePodFields } from './judge-pod-fields.ts';
import { podContradictions } from './pod-contradictions.ts';
import { podRequirements } from './pod-requirements.ts';
import { renderStaticPod } from './render-static-pod.ts';
import { fileProblems } from './static-pod-files.ts';
import { type FlagRequirement, staticPodRequirements } from './static-pod-requirements.ts';

/** The codes of this package's findings, and when they are raised. */
export const staticPodFindingCodes = {
  CONTROLPLANE_MANIFEST_NOT_A_POD: 'The manifest is not a v1 Pod',
  CONTROLPLANE_MANIFEST_FIELD: 'A field of the pod has a type or a value that Kubernetes does not take',
  CONTROLPLANE_MANIFEST_FIELD_UNKNOWN: 'A field is none of a Pod, and the kubelet passes over it (warning)',
  CONTROLPLANE_MANIFEST_NAME: "The pod has another name or namespace than the component's",
  CONTROLPLANE_MANIFEST_HOST_NETWORK: "The pod does not use the host's network",
  CONTROLPLANE_MANIFEST_LABEL: 'The pod lacks a label or annotation by which others find it',
  CONTROLPLANE_CONTAINER_MISSING: 'No container runs the component',
  CONTROLPLANE_FLAG_MISSING: 'A flag is missing or empty that others rely on',
  CONTROLPLANE_FLAG_VALUE: 'A flag has another value than others rely on',
  CONTROLPLANE_FILE_NOT_MOUNTED: 'A flag names a file that no host path brings into the container',
  CONTROLPLANE_FILE_ELSEWHERE: 'A host path brings another file into the container than the one that the phases make',
  CONTROLPLANE_FILE_OTHER: 'A flag names another file than the one that the phases make for it (warning)',
  CONTROLPLANE_FLAG_UNKNOWN: 'A flag is one that the component does not know, and does not start with',
  CONTROLPLANE_FLAG_CONFLICT: 'Flags contradict each other, so that the component does not start',
  CONTROLPLANE_AUTHORIZATION_OPEN: 'Everybody with any credentials may do everything (warning)',
  CONTROLPLANE_AUTHORIZATION_UNJUDGED: 'The modes of authorization are in a file that is not looked at (warning)',
  CONTROLPLANE_PROBE_REFUSED: 'The API server refuses the requests of its own probes, so that the kubelet restarts it',
  CONTROLPLANE_CONTAINER_FOREIGN: 'Another container or an init container is in the pod (warning)',
  CONTROLPLANE_MANIFEST_PRIVILEGE: 'The pod or a container has more power over the host than it needs (warning)',
  CONTROLPLANE_IMAGE_VERSION: 'The image is of another version than the cluster',
} as const;

type FindingCode = keyof typeof staticPodFindingCodes;

/**
 * Judges the static pod of a component, whoever wrote it: can the phases that follow, and the cluster, work with it?
 * Errors break the phases that follow; warnings take away a feature or some security. What the user asks for by
 * extraArgs is never held against the manifest, so that a rendered pod has no findings.
 *
 * @param manifest as parsed
 * @returns the findings; the artifact of each is `<component>.yaml`
 */
export function verifyStaticPod(
  component: ControlPlaneComponent,
  manifest: unknown,
  facts: ControlPlaneFacts,
): Finding[] {
  const report = (code: FindingCode, severity: Severity, message: string): Finding => ({
    code,
    severity,
    artifact: `${component}.yaml`,
    message: `Cannot rely on the static pod of ${component} as ${message}`,
    hint: `Mend /etc/kubernetes/manifests/${component}.yaml or let us write it: groundplane init phase ${phaseOf(component)}`,
  });
  const pod = withoutNulls(manifest);
  if (!isPodKind(pod)) return [report('CONTROLPLANE_MANIFEST_NOT_A_POD', 'error', notAPod)];
  const made = renderStaticPod(component, facts);
  // What the configuration asks for is not held against the pod, although the kubelet will not take it.
  const asked = new Set([...judgePodFields(made).problems, ...podContradictions(made)].map(fieldMessage));
  const fieldFindings = (problems: readonly FieldProblem[]): Finding[] =>
    problems
      .map(fieldMessage)
      .map((message) => report('CONTROLPLANE_MANIFEST_FIELD', asked.has(message) ? 'warning' : 'error', message));
  const fields = judgePodFields(pod);
  const findings = fieldFindings(fields.problems);
  if (findings.some(({ severity }) => severity === 'error')) return findings;
  if (!isPod(pod)) return [report('CONTROLPLANE_MANIFEST_NOT_A_POD', 'error', notAPod)];
  findings.push(...fieldFindings(podContradictions(pod)));
  for (const path of fields.unknown) {
    findings.push(
      report(
        'CONTROLPLANE_MANIFEST_FIELD_UNKNOWN',
        'warning',
        `a Pod has no such field, and the kubelet passes over it: ${path}`,
      ),
    );
  }
  const { name, namespace } = pod.metadata;
  if (name !== component || namespace !== 'kube-system') {
    const is = `${namespace ?? 'default'}/${name ?? ''}`;
    findings.push(report('CONTROLPLANE_MANIFEST_NAME', 'error', `it must be kube-system/${component}: ${is}`));
  }
  if (pod.spec.hostNetwork !== true) {
    findings.push(report('CONTROLPLANE_MANIFEST_HOST_NETWORK', 'error', 'hostNetwork must be true: false'));
  }
  for (const label of missingLabels(component, pod)) {
    findings.push(report('CONTROLPLANE_MANIFEST_LABEL', 'warning', `others find it by ${label}: missing`));
  }
  const container = pod.spec.containers.find((candidate) => runs(component, candidate));
  if (container === undefined) {
    const message = `no container's command names ${component}: ${pod.spec.containers.map(programOf).join(', ')}`;
    return [...findings, report('CONTROLPLANE_CONTAINER_MISSING', 'error', message)];
  }
  const rendered = made.spec;
  const ours = flagValues(rendered.containers[0] ?? {});
  const theirs = flagValues(container);
  for (const requirement of staticPodRequirements[component]) {
    if (!(requirement.when?.(facts) ?? true) || sameValues(ours, theirs, requirement.flag)) continue;
    const problem = flagProblem(requirement, theirs, facts);
    if (problem !== undefined) findings.push(report(problem.code, requirement.severity, problem.message));
  }
  for (const hazard of flagHazards[component]) {
    const found = hazardOf(hazard, { ours, theirs, container, facts });
    if (found !== undefined) findings.push(report(hazard.code, found.severity, found.message));
  }
  for (const { code, problems } of podRequirements) {
    for (const message of problems(pod.spec, container.name)) findings.push(report(code, 'warning', message));
  }
  for (const { code, severity, message } of fileProblems(component, { container, spec: pod.spec, rendered }, facts)) {
    findings.push(report(code, severity, message));
  }
  const wanted = tagOf(componentImage(component, facts));
  if (tagOf(container.image) !== undefined && tagOf(container.image) !== wanted) {
    findings.push(report('CONTROLPLANE_IMAGE_VERSION', 'warning', `the cluster uses ${wanted}: ${container.image}`));
  }
  return findings;
}

const notAPod = 'it is not a v1 Pod with containers';

function fieldMessage({ path, must, ...rest }: FieldProblem): string {
  return `the kubelet does not take it: ${path} must ${must}${'value' in rest ? `: ${JSON.stringify(rest.value)}` : ''}`;
}

function flagProblem(
  { flag, expected, comparison = 'equal', fallback, reason }: FlagRequirement,
  theirs: FlagValues,
  facts: ControlPlaneFacts,
): { readonly code: FindingCode; readonly message: string } | undefined {
  // The authorization configuration takes the place of the modes; what it says is not ours to judge.
  if (flag === 'authorization-mode' && theirs.has('authorization-config')) return undefined;
  const value = theirs.get(flag)?.at(-1) ?? fallback ?? '';
  const wanted = expected?.(facts);
  if (value === '' && wanted !== '') {
    const with_ = wanted === undefined ? '' : `=${wanted}`;
    return { code: 'CONTROLPLANE_FLAG_MISSING', message: `it needs --${flag}${with_} because ${reason}: missing` };
  }
  if (wanted === undefined || value === wanted) return undefined;
  const items = value.split(',');
  if (comparison === 'has-items' && wanted.split(',').every((item) => items.includes(item))) return undefined;
  const verb = comparison === 'has-items' ? 'hold' : 'be';
  return { code: 'CONTROLPLANE_FLAG_VALUE', message: `--${flag} must ${verb} ${wanted} because ${reason}: ${value}` };
}

interface JudgedFlags {
  /** Of the pod that we would write. */
  readonly ours: FlagValues;
  readonly theirs: FlagValues;
  readonly container: Container;
  readonly facts: ControlPlaneFacts;
}

/** What the configuration asks for is not held against the pod; what does not work by it is told. */
function hazardOf(
  { severity, flags, problem }: FlagHazard,
  { ours, theirs, container, facts }: JudgedFlags,
): { readonly severity: Severity; readonly message: string } | undefined {
  const message = problem(theirs, container, facts);
  if (message === undefined) return undefined;
  const isAsked = flags.every((flag) => (!ours.has(flag) && !theirs.has(flag)) || sameValues(ours, theirs, flag));
  if (!isAsked) return { severity, message };
  return severity === 'error' ? { severity: 'warning', message } : undefined;
}

function sameValues(ours: FlagValues, theirs: FlagValues, flag: string): boolean {
  const left = ours.get(flag);
  const right = theirs.get(flag);
  return (
    left !== undefined && right !== undefined && left.length === right.length && left.every((v, i) => v === right[i])
  );
}

function missingLabels(component: ControlPlaneComponent, pod: Pod): string[] {
  const { labels = {}, annotations = {} } = pod.metadata;
  const wanted = { component, tier: 'control-plane' };
  const annotation = { etcd: endpointAnnotations.etcd, 'kube-apiserver': endpointAnnotations.apiServer } as Partial<
    Record<ControlPlaneComponent, string>
  >;
  const key = annotation[component];
  return [
    ...Object.entries(wanted).flatMap(([label, value]) =>
      labels[label] === value ? [] : [`the label ${label}=${value}`],
    ),
    ...(key !== undefined && annotations[key] === undefined ? [`the annotation ${key}`] : []),
  ];
}

/** The program may be named by its path, and may follow a shell or another wrapper. */
function runs(component: ControlPlaneComponent, { command = [], args = [] }: Container): boolean {
  return [...command, ...args].some((word) => !word.startsWith('-') && word.split('/').at(-1) === component);
}

function programOf({ command = [], args = [], name }: Container): string {
  return command[0] ?? args[0] ?? name;
}

function tagOf(image: string): string | undefined {
  return /:([^:/]+)$/.exec(image.replace(/@.*$/, ''))?.[1];
}

function phaseOf(component: ControlPlaneComponent): string {
  if (component === 'etcd') return 'etcd local';
  return `control-plane ${component.replace('kube-', '')}`;
}
