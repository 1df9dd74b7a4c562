import type { PreflightFacts } from '@groundplane/kubelet';
import type { Host } from '@groundplane/phases';

/** Where kernels keep their build configuration (k8s.io/system-validators, kernel_validator.go). */
const paths = (release: string) => [
  '/proc/config.gz',
  `/boot/config-${release}`,
  `/usr/src/linux-${release}/.config`,
  '/usr/src/linux/.config',
  `/usr/lib/modules/${release}/config`,
  `/usr/lib/ostree-boot/config-${release}`,
  `/usr/lib/kernel/config-${release}`,
  `/usr/src/linux-headers-${release}/.config`,
  `/lib/modules/${release}/build/.config`,
];

/** The kernel module that shows /proc/config.gz. */
const kernelModule = 'configs';

/** The text of the kernel's build configuration. Where no file holds it, the kernel is asked to show it for the moment. */
export async function kernelConfig({ facts }: Host): Promise<NonNullable<PreflightFacts['kernelConfig']>> {
  const candidates = paths(await facts.kernelRelease());
  const found = await firstOf(candidates, facts);
  if (found !== undefined) return found;
  const loaded = await facts.output('modprobe', [kernelModule]);
  if (loaded.code !== 0) {
    const output = `${loaded.stdout}${loaded.stderr}`.trim();
    return { error: `unable to load kernel module: "${kernelModule}", output: ${JSON.stringify(output)}` };
  }
  try {
    return (await firstOf(candidates, facts)) ?? { error: `no config path in ${candidates.join(' ')} is available` };
  } finally {
    await facts.output('modprobe', ['-r', kernelModule]);
  }
}

async function firstOf(candidates: readonly string[], facts: Host['facts']): Promise<string | undefined> {
  for (const path of candidates) {
    const text = await facts.kernelFile(path);
    if (text !== undefined) return text;
  }
  return undefined;
}
