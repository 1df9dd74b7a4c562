import {
  type ControlPlaneComponent,
  componentImage,
  type FlagRequirement,
  flagHazards,
  flagValues,
  podRequirements,
  renderStaticPod,
  staticPodRequirements,
} from '@groundplane/controlplane';
import type { Demand } from '@groundplane/phases';
import { rule } from './certificate-demands.ts';
import { controlPlaneFactsOf } from './control-plane-facts.ts';
import type { InitContext } from './init-context.ts';
import { asJson } from './object-demands.ts';
import { patchedStaticPod } from './patched-documents.ts';

/** What is asked of the static pod of a component. */
export function staticPodDemands(component: ControlPlaneComponent, config: InitContext): readonly Demand[] {
  const facts = controlPlaneFactsOf(config, true);
  const { metadata, spec } = renderStaticPod(component, facts);
  const signs = Object.entries({ ...metadata.labels, ...metadata.annotations });
  return [
    {
      text: `Made here, with the patches of this node${component === 'kube-controller-manager' ? '; where the key of the CA is elsewhere, without the flags to sign' : ''}`,
      document: asJson(patchedStaticPod(component, config, true)),
    },
    rule('CONTROLPLANE_MANIFEST_NOT_A_POD', 'error', 'It is a v1 Pod with containers'),
    rule(
      'CONTROLPLANE_MANIFEST_FIELD',
      'error',
      'Its fields have types and values that the kubelet takes; it names no objects of the API, which no static pod gets',
    ),
    rule('CONTROLPLANE_MANIFEST_FIELD_UNKNOWN', 'warning', 'It has no field that is none of a Pod'),
    rule('CONTROLPLANE_MANIFEST_NAME', 'error', `Its name is ${component} and its namespace kube-system`),
    rule('CONTROLPLANE_MANIFEST_HOST_NETWORK', 'error', 'Its hostNetwork is true'),
    ...signs.map(([key, value]) =>
      rule('CONTROLPLANE_MANIFEST_LABEL', 'warning', `Others find it by ${key}: ${value}`),
    ),
    rule('CONTROLPLANE_CONTAINER_MISSING', 'error', `The command of one of its containers is ${component}`),
    ...staticPodRequirements[component]
      .filter(({ when }) => when?.(facts) ?? true)
      .map((requirement) => flagDemand(requirement, config, flagValues(spec.containers[0] ?? {}))),
    ...flagHazards[component].map(({ code, severity, demand }) => rule(code, severity, demand)),
    ...podRequirements.map(({ code, demand }) => rule(code, 'warning', demand)),
    rule(
      'CONTROLPLANE_FILE_NOT_MOUNTED',
      'error',
      'A host path brings every file that a flag names into the container',
    ),
    rule(
      'CONTROLPLANE_FILE_ELSEWHERE',
      'error',
      'A file that the phases make comes from where they make it, at whatever path the container sees it',
    ),
    rule(
      'CONTROLPLANE_FILE_OTHER',
      'warning',
      'Where the phases make a file for a flag, the flag names it; another file is not looked at',
    ),
    rule('CONTROLPLANE_IMAGE_VERSION', 'warning', `Its image has the tag of ${componentImage(component, facts)}`),
  ];
}

function flagDemand(
  { flag, severity, reason, expected, comparison, when }: FlagRequirement,
  config: InitContext,
  made: ReturnType<typeof flagValues>,
): Demand {
  const facts = controlPlaneFactsOf(config, true);
  const wanted = expected?.(facts);
  const condition =
    (when?.(controlPlaneFactsOf(config, false)) ?? true) ? '' : '; not where the key of the CA is elsewhere';
  const because = `because ${reason}${condition}`;
  const code = wanted === undefined ? 'CONTROLPLANE_FLAG_MISSING' : 'CONTROLPLANE_FLAG_VALUE';
  if (wanted === undefined) return { text: `It has --${flag} ${because}`, code, severity, flag: { name: flag } };
  const value = made.get(flag)?.at(-1);
  const items = wanted.split(',');
  const isPart = comparison === 'has-items';
  const meets = isPart ? items.every((item) => value?.split(',').includes(item)) : value === wanted;
  // What the user's extraArgs ask for is never held against a pod.
  if (value !== undefined && !meets) {
    return {
      text: `Its --${flag} is ${value}, as extraArgs ask for, or ${isPart ? 'holds ' : ''}${wanted}`,
      code,
      severity,
      flag: { name: flag, value },
    };
  }
  return isPart
    ? {
        text: `Its --${flag} holds ${items.join(' and ')} ${because}`,
        code,
        severity,
        flag: { name: flag, holds: items },
      }
    : { text: `Its --${flag} is ${wanted} ${because}`, code, severity, flag: { name: flag, value: wanted } };
}
