import type { Finding } from '@groundplane/errors';
import { documentsOfFlags } from './apply-flags.ts';
import type { Problem } from './decode-document.ts';
import type { FlagValues } from './flag.ts';
import { controlPlaneFlags, joinFlags } from './join-flag-table.ts';

/** A raw JoinConfiguration by flags, and what is to be said about them. */
export interface JoinDocument {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Finding[];
}

export interface JoinDocumentOptions {
  /** `host:port` of an API server, the argument of the command. */
  readonly endpoint?: string | undefined;
  readonly requireDiscovery?: boolean | undefined;
}

type Section = Readonly<Record<string, unknown>>;

/**
 * What flags make of a JoinConfiguration (kubeadm, cmd/join.go, newJoinData): `--token` stands for both tokens, a discovery
 * that is not asked for is left out, and so is the control plane's part without `--control-plane`.
 */
export function joinDocumentOfFlags(
  flags: FlagValues,
  { endpoint, requireDiscovery }: JoinDocumentOptions,
): JoinDocument {
  const { join, problems } = documentsOfFlags(flags, joinFlags);
  const { discovery = {}, controlPlane = {}, ...others } = join as Readonly<Record<string, Section>>;
  const becomesControlPlane = flags['control-plane'] === true;
  return {
    value: {
      ...others,
      discovery: requireDiscovery === false ? {} : discoveryOfFlags(discovery, { flags, endpoint }),
      ...(becomesControlPlane && { controlPlane }),
    },
    problems: requireDiscovery === false ? problems : [...problems, ...missingDiscovery(flags, endpoint)],
    warnings: [...unusedToken(flags), ...(becomesControlPlane ? [] : unusedControlPlaneFlags(flags))],
  };
}

interface DiscoveryFlags {
  readonly flags: FlagValues;
  readonly endpoint: string | undefined;
}

function discoveryOfFlags({ bootstrapToken, file }: Section, { flags, endpoint }: DiscoveryFlags): unknown {
  const token = flags['discovery-token'] || flags.token || '';
  return {
    ...(endpoint !== undefined && {
      bootstrapToken: { ...(bootstrapToken as object), token, apiServerEndpoint: endpoint },
    }),
    ...(flags['discovery-file'] && { file }),
    tlsBootstrapToken: flags['tls-bootstrap-token'] || token,
  };
}

function missingDiscovery(flags: FlagValues, endpoint: string | undefined): readonly Problem[] {
  if (endpoint !== undefined || flags['discovery-file']) return [];
  const needed = 'give the endpoint of an API server (host:port) as argument with --token, or give --discovery-file';
  return [{ path: 'discovery', reason: `bootstrapToken or file must be set: ${needed}` }];
}

function unusedToken(flags: FlagValues): readonly Finding[] {
  if (!flags.token || !flags['discovery-token']) return [];
  const message = 'The value of --token is not used, as --discovery-token stands for the other token as well';
  return [ignoredFlag('token', message, 'Give --discovery-token and --tls-bootstrap-token, or --token alone')];
}

function unusedControlPlaneFlags(flags: FlagValues): readonly Finding[] {
  return controlPlaneFlags
    .filter((name) => flags[name] !== undefined)
    .map((name) => {
      const message = `The flag --${name} has no effect, as --control-plane is also required for it`;
      return ignoredFlag(name, message, 'Add --control-plane, or leave the flag out');
    });
}

/** The warning that something on the command line does nothing. */
export function ignoredFlag(name: string, message: string, hint: string): Finding {
  return { code: 'CONFIG_FLAG_IGNORED', severity: 'warning', artifact: `--${name}`, message, hint };
}
