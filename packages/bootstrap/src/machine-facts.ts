import { optionalCADirectories } from '@groundplane/controlplane';
import { systemdResolvConf } from '@groundplane/kubelet';
import type { Host } from '@groundplane/phases';
import type { MachineFacts } from './init-context.ts';
import { silently } from './node-facts.ts';

/** Commands that write the kubelet's own configuration file, in which resolv.conf stands. */
const kubeletCommands: ReadonlySet<string> = new Set([
  'init',
  'init phase kubelet-start',
  'join',
  'join phase kubelet-start',
]);

/**
 * What phases want to know of the machine, but for its name, which resolving asks for anyway.
 *
 * @param looksOnly true if nothing is going to be made: a folder of CAs that cannot be looked at then counts as one that is not there
 * @throws what the port throws
 */
export async function machineFacts(
  { facts, files, services }: Host,
  { command, looksOnly }: { readonly command: string; readonly looksOnly: boolean },
): Promise<Omit<MachineFacts, 'hostName'>> {
  const statusOf = (path: string) => (looksOnly ? silently(() => files.status(path)) : files.status(path));
  const [directories, resolver] = await Promise.all([
    Promise.all(optionalCADirectories.map(async (path) => ((await statusOf(path)) === undefined ? [] : [path]))),
    kubeletCommands.has(command) ? services.status('systemd-resolved') : undefined,
  ]);
  return {
    certificateAuthorityDirectories: directories.flat(),
    proxyEnvironment: facts.proxyEnvironment(),
    ...(resolver?.active === true ? { resolvConf: systemdResolvConf } : {}),
  };
}
