import type { Host } from '@groundplane/phases';
import { httpProbe } from './http-probe.ts';
import { localFacts } from './local-facts.ts';
import { localFiles } from './local-files.ts';
import { localMounts } from './local-mounts.ts';
import { localServices } from './local-services.ts';
import { programsOf } from './programs.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';
import type { Environment } from './run-program.ts';

/**
 * The machine that this process runs on.
 *
 * @param options.environment variables that programs are run with and that PATH and proxies are read from; default: those of
 *   this process
 * @param options.root where the file system of the node is, from {@link openRootDirectory}: every path of the files port is inside
 *   it, programs and services are run by chroot(8)
 */
export function localHost(options: { readonly environment?: Environment; readonly root?: RootDirectory } = {}): Host {
  const { environment = process.env, root = machineRoot } = options;
  const programs = programsOf(environment, root);
  return {
    files: localFiles(root),
    services: localServices(programs, root),
    facts: localFacts(environment, root),
    mounts: localMounts(programs, root),
    probe: httpProbe,
  };
}
