import type { FieldRule } from '@groundplane/manifest';

function oneOf(...words: readonly string[]): FieldRule {
  return {
    meets: (value) => words.includes(value as string),
    must: `be ${words.join(', ').replace(/, ([^,]*)$/, ' or $1')}`,
  };
}

function matching(pattern: RegExp, must: string, longest = Number.POSITIVE_INFINITY): FieldRule {
  return { meets: (value) => typeof value === 'string' && value.length <= longest && pattern.test(value), must };
}

function from(smallest: number): FieldRule {
  return { meets: (value) => Number(value) >= smallest, must: `be ${smallest} or more` };
}

const label = matching(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  'be a DNS label (lower-case letters, digits and -, at most 63)',
  63,
);
const port: FieldRule = {
  meets: (value) => typeof value === 'number' && value >= 1 && value <= 65_535,
  must: 'be a port from 1 to 65535',
};
const portName = matching(
  /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  'be the name of a port (lower-case letters, digits and single -, at most 15)',
  15,
);
const portOrName: FieldRule = {
  meets: (value) => (typeof value === 'number' ? port : portName).meets(value),
  must: 'be a port from 1 to 65535 or the name of one',
};
const withoutSteps: FieldRule = {
  meets: (value) => !String(value).split('/').includes('..'),
  must: "not lead upwards by '..'",
};
const below: FieldRule = {
  meets: (value) => !String(value).startsWith('/') && withoutSteps.meets(value),
  must: "be a relative path without '..'",
};
const containerImage = matching(
  // distribution/reference: a host, lower-case components, a tag, a digest.
  /^(?:(?:[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/,
  'be the reference of an image: HOST/PATH:TAG with a path in lower case',
);
const labelValue: FieldRule = {
  meets: (value) =>
    Object.values(value as object).every((one) =>
      /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(String(one)),
    ),
  must: 'have values of at most 63 letters, digits, -, _ and ., with a letter or digit at both ends',
};

/** Name of a struct and field → rule (k8s.io/kubernetes, pkg/apis/core/validation/validation.go). Zero and empty values have defaults, and are not asked. */
export const fieldRules: Readonly<Record<string, FieldRule>> = {
  'ObjectMeta.labels': labelValue,
  'PodSpec.restartPolicy': oneOf('Always', 'OnFailure', 'Never'),
  'PodSpec.dnsPolicy': oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
  'PodSpec.preemptionPolicy': oneOf('PreemptLowerPriority', 'Never'),
  'PodSpec.nodeSelector': labelValue,
  'PodSpec.terminationGracePeriodSeconds': from(0),
  'PodSpec.activeDeadlineSeconds': from(1),
  'PodSpec.hostname': label,
  'Container.name': label,
  'Container.image': containerImage,
  'Container.imagePullPolicy': oneOf('Always', 'IfNotPresent', 'Never'),
  'Container.restartPolicy': oneOf('Always', 'OnFailure', 'Never'),
  'Container.terminationMessagePolicy': oneOf('File', 'FallbackToLogsOnError'),
  'ContainerPort.containerPort': port,
  'ContainerPort.hostPort': port,
  'ContainerPort.name': portName,
  'ContainerPort.protocol': oneOf('TCP', 'UDP', 'SCTP'),
  'EnvVar.name': matching(/^[ -<>-~]+$/, "be printable ASCII without '='"),
  'Probe.initialDelaySeconds': from(0),
  'Probe.timeoutSeconds': from(0),
  'Probe.periodSeconds': from(0),
  'Probe.successThreshold': from(0),
  'Probe.failureThreshold': from(0),
  'Probe.terminationGracePeriodSeconds': from(1),
  'HTTPGetAction.port': portOrName,
  'HTTPGetAction.scheme': oneOf('HTTP', 'HTTPS'),
  'HTTPHeader.name': matching(/^[-A-Za-z0-9]+$/, 'be the name of an HTTP header'),
  'TCPSocketAction.port': portOrName,
  'GRPCAction.port': port,
  'Volume.name': label,
  'HostPathVolumeSource.path': withoutSteps,
  'HostPathVolumeSource.type': oneOf(
    ...['Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket', 'CharDevice', 'BlockDevice'],
  ),
  'EmptyDirVolumeSource.medium': matching(/^(?:Memory|HugePages(?:-.+)?)$/, 'be Memory or HugePages'),
  'VolumeMount.mountPropagation': oneOf('None', 'HostToContainer', 'Bidirectional'),
  'VolumeMount.recursiveReadOnly': oneOf('Disabled', 'IfPossible', 'Enabled'),
  'VolumeMount.subPath': below,
  'VolumeMount.subPathExpr': below,
  'Toleration.operator': oneOf('Exists', 'Equal', 'Lt', 'Gt'),
  'Toleration.effect': oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
  'SeccompProfile.type': oneOf('Localhost', 'RuntimeDefault', 'Unconfined'),
  'AppArmorProfile.type': oneOf('Localhost', 'RuntimeDefault', 'Unconfined'),
  'SecurityContext.procMount': oneOf('Default', 'Unmasked'),
  'SecurityContext.runAsUser': from(0),
  'SecurityContext.runAsGroup': from(0),
  'PodSecurityContext.runAsUser': from(0),
  'PodSecurityContext.runAsGroup': from(0),
  'PodSecurityContext.fsGroup': from(0),
  'PodSecurityContext.fsGroupChangePolicy': oneOf('OnRootMismatch', 'Always'),
};
