import type { Host } from '@groundplane/phases';
import { httpProbe } from './http-probe.ts';
import { localFacts } from './local-facts.ts';
import { localFiles } from './local-files.ts';
import { localServices } from './local-services.ts';
import type { Environment } from './run-program.ts';

/**
 * The machine that this process runs on.
 *
 * @param options.environment variables that programs are run with and that PATH and proxies are read from; default: those of
 *   this process
 */
export function localHost(options: { readonly environment?: Environment } = {}): Host {
  const environment = options.environment ?? process.env;
  return {
    files: localFiles(),
    services: localServices(environment),
    facts: localFacts(environment),
    probe: httpProbe,
  };
}
