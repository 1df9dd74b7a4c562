import {
  cgroupControllers,
  firstKubeletWithoutCgroupV1,
  kernelOptions,
  kernelReleases,
} from './kernel-requirements.ts';
import { compareVersions } from './kubelet-version.ts';
import type { Verdict } from './preflight-check.ts';
import type { PreflightFacts } from './preflight-facts.ts';

/**
 * Kernel, operating system and cgroups (k8s.io/system-validators: kernel_validator.go, os_validator_unix.go,
 * cgroup_validator_linux.go).
 *
 * @param kubeletVersion without `v`; kubelets from 1.35 on refuse cgroup v1
 */
export function verifySystem(
  facts: Required<Pick<PreflightFacts, 'kernelRelease' | 'kernelConfig' | 'cgroups'>> & {
    /** What uname(2) calls it; undefined where the machine cannot tell. */
    readonly operatingSystem: string | undefined;
  },
  kubeletVersion: string,
): Verdict {
  const verdicts = [
    verifyKernelRelease(facts.kernelRelease),
    verifyKernelConfig(facts.kernelConfig, facts.cgroups.version),
    verifyOperatingSystem(facts.operatingSystem),
    verifyCgroups(facts.cgroups, kubeletVersion),
  ];
  return {
    warnings: verdicts.flatMap((verdict) => verdict.warnings ?? []),
    errors: verdicts.flatMap((verdict) => verdict.errors ?? []),
  };
}

function verifyOperatingSystem(name = 'Linux'): Verdict {
  return name === 'Linux' ? {} : { errors: [`unsupported operating system: ${name}`] };
}

function verifyKernelRelease(release: string): Verdict {
  if (kernelReleases.some((pattern) => pattern.test(release))) return {};
  return {
    warnings: [
      `kernel release ${release} is unsupported: 5.4, 5.10, 5.15 and everything from 6.0 on are supported; for cgroups v2 take 5.10 or newer`,
    ],
  };
}

function verifyKernelConfig(
  text: NonNullable<PreflightFacts['kernelConfig']>,
  cgroupVersion: 1 | 2 | undefined,
): Verdict {
  if (typeof text !== 'string') return { errors: [`failed to parse kernel config: ${text.error}`] };
  const options = parseKernelConfig(text);
  const required = [
    ...kernelOptions.always,
    ...(cgroupVersion === 2 ? kernelOptions.cgroupV2 : kernelOptions.cgroupV1),
  ];
  const bad = required
    .map((names) => names.split('|').map((name) => `CONFIG_${name}`))
    .flatMap((names) => {
      // The first name that the file mentions decides; the last one is reported if none is mentioned.
      const name = names.find((candidate) => options.has(candidate)) ?? names.at(-1) ?? '';
      return ['y', 'm'].includes(options.get(name) ?? 'n') ? [] : [name];
    });
  return bad.length === 0 ? {} : { errors: [`unexpected kernel config: ${bad.join(' ')}`] };
}

/** `CONFIG_X=y` lines; only the first character of a value counts. */
function parseKernelConfig(text: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s*(CONFIG_[A-Z0-9_]+)=([myn])/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) options.set(name, value);
  }
  return options;
}

function verifyCgroups(
  { version, controllers }: NonNullable<PreflightFacts['cgroups']>,
  kubeletVersion: string,
): Verdict {
  if (version === undefined) return { errors: ['no mounted cgroup file system was found in /proc/mounts'] };
  const missing = (names: readonly string[]) => names.filter((name) => !controllers.includes(name));
  const { required, optional } = cgroupControllers[version];
  const warnings: string[] = [];
  const errors: string[] = [];
  if (version === 1) {
    const refused = compareVersions(kubeletVersion, firstKubeletWithoutCgroupV1) >= 0;
    (refused ? errors : warnings).push(
      'cgroups v1 support is deprecated and will be removed: migrate to cgroups v2, or set the kubelet configuration option failCgroupV1 to false and ignore this check (KEP-5573)',
    );
  }
  if (missing(required).length > 0) errors.push(`missing required cgroups: ${missing(required).join(' ')}`);
  if (missing(optional).length > 0) warnings.push(`missing optional cgroups: ${missing(optional).join(' ')}`);
  return { warnings, errors };
}
