import { compareVersions, minorOf, parseKubeletVersion } from './kubelet-version.ts';
import { portCheck } from './port-check.ts';
import { answer, type PreflightCheck, type Verdict } from './preflight-check.ts';
import type { PreflightFacts, RuntimeFacts } from './preflight-facts.ts';
import { verifySystem } from './verify-system.ts';

const kubeletPort = 10250;
/** Programs that have to be in PATH, for control planes older than the version where one is given. */
const programs = [
  { name: 'conntrack', before: 'v1.32.0' },
  { name: 'losetup' },
  { name: 'mount' },
  { name: 'cp' },
] as const satisfies readonly { readonly name: string; readonly before?: string }[];
const operatingSystemFile = '/proc/sys/kernel/ostype';
const qualifiedName = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;

function connectionErrors({ connectError }: RuntimeFacts): readonly string[] {
  return connectError === undefined ? [] : [`could not connect to the container runtime: ${connectError}`];
}

function verifyRuntime(runtime: RuntimeFacts): Verdict {
  const failed = connectionErrors(runtime);
  if (failed.length > 0) return { errors: failed };
  if (runtime.statusError !== undefined)
    return { errors: [`container runtime is not running: ${runtime.statusError}`] };
  const bad = (runtime.conditions ?? []).find(({ type, status }) => type === 'RuntimeReady' && !status);
  if (bad === undefined) return {};
  return {
    errors: [`container runtime condition "${bad.type}" is not true. reason: ${bad.reason}, message: ${bad.message}`],
  };
}

function verifyRuntimeConfig(runtime: RuntimeFacts): Verdict {
  const failed = connectionErrors(runtime);
  if (failed.length > 0) return { errors: failed };
  const { runtimeConfig } = runtime;
  if (typeof runtimeConfig === 'object') {
    return { errors: [`could not check if the runtime config is available: ${runtimeConfig.error}`] };
  }
  if (runtimeConfig !== 'unimplemented') return {};
  return {
    warnings: [
      'the container runtime does not support the CRI method RuntimeConfig, which Kubernetes 1.38 will require; until then cgroupDriver of the kubelet configuration is used (KEP-4033)',
    ],
  };
}

/** The version of the installed kubelet, or why it is not known. */
function kubeletVersion(facts: PreflightFacts): { readonly version: string } | { readonly reason: string } {
  const answered = answer(facts.kubeletVersion);
  if ('error' in answered) {
    return { reason: `couldn't get kubelet version: cannot execute 'kubelet --version': ${answered.error}` };
  }
  const version = parseKubeletVersion(answered.output);
  if (version !== undefined) return { version };
  return {
    reason: `couldn't get kubelet version: unable to parse output from kubelet: ${JSON.stringify(answered.output.trim())}`,
  };
}

/** Checks of every node that joins or starts a cluster (kubeadm, preflight/checks.go, addCommonChecks). */
export const commonChecks: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_RUNTIME',
    batch: 'node',
    hint: 'Start the container runtime, and name its socket by --cri-socket if it is unusual',
    instances: () => [
      { name: 'CRI', needs: [{ fact: 'runtime' }], evaluate: ({ runtime }) => verifyRuntime(answer(runtime)) },
    ],
  },
  {
    code: 'PREFLIGHT_RUNTIME_VERSION',
    batch: 'node',
    hint: 'Update the container runtime',
    instances: () => [
      {
        name: 'ContainerRuntimeVersion',
        needs: [{ fact: 'runtime' }],
        evaluate: ({ runtime }) => verifyRuntimeConfig(answer(runtime)),
      },
    ],
  },
  {
    code: 'PREFLIGHT_SWAP',
    batch: 'node',
    hint: 'Disable it with `swapoff -a`, or configure the kubelet for swap',
    instances: () => [
      {
        name: 'Swap',
        needs: [{ fact: 'text', path: '/proc/swaps' }],
        evaluate: ({ texts }) =>
          (texts?.['/proc/swaps'] ?? '').trimEnd().split('\n').length <= 1
            ? {}
            : {
                warnings: [
                  'swap is supported for cgroup v2 only, and the kubelet must be configured for it (https://kubernetes.io/docs/concepts/architecture/nodes/#swap-memory)',
                ],
              },
      },
    ],
  },
  {
    code: 'PREFLIGHT_PROGRAM_MISSING',
    batch: 'node',
    hint: 'Install the package that holds it, or correct PATH',
    instances: ({ kubernetesVersion }) =>
      programs
        .filter((row) => !('before' in row) || compareVersions(kubernetesVersion, row.before) < 0)
        .map(({ name }) => ({
          name: `FileExisting-${name}`,
          needs: [{ fact: 'program', name }],
          evaluate: ({ programs: found }) =>
            found?.[name] === undefined ? { errors: [`${name} not found in system path`] } : {},
        })),
  },
  {
    code: 'PREFLIGHT_SYSTEM',
    batch: 'node',
    instances: () => [
      {
        name: 'SystemVerification',
        needs: [
          { fact: 'kubeletVersion' },
          { fact: 'text', path: operatingSystemFile },
          { fact: 'kernelRelease' },
          { fact: 'kernelConfig' },
          { fact: 'cgroups' },
        ],
        evaluate: (facts) => {
          const kubelet = kubeletVersion(facts);
          if ('reason' in kubelet) return { errors: [kubelet.reason] };
          return verifySystem(
            {
              operatingSystem: facts.texts?.[operatingSystemFile]?.trim(),
              kernelRelease: answer(facts.kernelRelease),
              kernelConfig: answer(facts.kernelConfig),
              cgroups: answer(facts.cgroups),
            },
            kubelet.version,
          );
        },
      },
    ],
  },
  {
    code: 'PREFLIGHT_HOST_NAME',
    batch: 'node',
    hint: 'Add the name to DNS or /etc/hosts',
    instances: ({ nodeName }) => [
      {
        name: 'Hostname',
        needs: [{ fact: 'lookup', name: nodeName }],
        evaluate: ({ lookups }) => ({
          warnings: [
            ...(qualifiedName.test(nodeName)
              ? []
              : [`invalid node name format "${nodeName}": at most 63 letters, digits, '-', '_' and '.' are allowed`]),
            ...(answer(lookups?.[nodeName]).length > 0 ? [] : [`hostname "${nodeName}" could not be reached`]),
          ],
        }),
      },
    ],
  },
  {
    code: 'PREFLIGHT_KUBELET_VERSION',
    batch: 'node',
    hint: 'Install a kubelet of the version of the control plane',
    instances: ({ kubernetesVersion, minimumKubeletVersion, join }) => [
      {
        name: 'KubeletVersion',
        needs: [{ fact: 'kubeletVersion' }],
        evaluate: (facts) => {
          const kubelet = kubeletVersion(facts);
          if ('reason' in kubelet) return { errors: [kubelet.reason] };
          const { version } = kubelet;
          if (compareVersions(version, minimumKubeletVersion) < 0) {
            return {
              errors: [`Kubelet version "${version}" is lower than ${minimumKubeletVersion}, the oldest supported`],
            };
          }
          const [own, plane] = [minorOf(version), minorOf(kubernetesVersion)];
          if (own.major <= plane.major && own.minor <= plane.minor) return {};
          const texts = [
            `the kubelet version is higher than the control plane version, which is not a supported version skew. Kubelet version: "${version}" Control plane version: "${kubernetesVersion}"`,
          ];
          // kubeadm does not look at it in `join`, where people may have reasons.
          return join === undefined ? { errors: texts } : { warnings: texts };
        },
      },
    ],
  },
  {
    code: 'PREFLIGHT_SERVICE',
    batch: 'node',
    instances: () => [
      {
        name: 'Service-kubelet',
        needs: [{ fact: 'service', name: 'kubelet' }],
        evaluate: ({ services }) => {
          const { initSystem, exists, enabled } = answer(services?.kubelet);
          if (initSystem === 'none')
            return { warnings: ['no supported init system was found, services are not checked'] };
          if (!exists) return { warnings: ['kubelet service does not exist'] };
          if (enabled) return {};
          const command =
            initSystem === 'systemd' ? 'systemctl enable kubelet.service' : 'rc-update add kubelet default';
          return { warnings: [`kubelet service is not enabled, please run '${command}'`] };
        },
      },
    ],
  },
  {
    code: 'PREFLIGHT_PORT',
    batch: 'node',
    firstRunOnly: true,
    hint: 'Stop the kubelet: `systemctl stop kubelet`',
    instances: () => [portCheck(kubeletPort)],
  },
];
