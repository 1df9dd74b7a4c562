import { optionalCADirectories } from '@groundplane/controlplane';
import { systemdResolvConf } from '@groundplane/kubelet';
import type { Host } from '@groundplane/phases';
import type { MachineFacts } from './init-context.ts';

/** Commands that write the kubelet's own configuration file, in which resolv.conf stands. */
const kubeletCommands: ReadonlySet<string> = new Set([
  'init',
  'init phase kubelet-start',
  'join',
  'join phase kubelet-start',
]);

/** What phases want to know of the machine, but for its name, which resolving asks for anyway. */
export async function machineFacts(
  { facts, files, services }: Host,
  command: string,
): Promise<Omit<MachineFacts, 'hostName'>> {
  const [directories, resolver] = await Promise.all([
    Promise.all(optionalCADirectories.map(async (path) => ((await files.status(path)) === undefined ? [] : [path]))),
    kubeletCommands.has(command) ? services.status('systemd-resolved') : undefined,
  ]);
  return {
    certificateAuthorityDirectories: directories.flat(),
    proxyEnvironment: facts.proxyEnvironment(),
    ...(resolver?.active === true ? { resolvConf: systemdResolvConf } : {}),
  };
}
