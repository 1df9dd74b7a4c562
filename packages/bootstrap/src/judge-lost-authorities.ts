import type { Host } from '@groundplane/phases';
import { bootstrapError } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';
import {
  authoritiesMadeBy,
  certificatesElsewhere,
  dependantsText,
  type LostAuthority,
  lostAuthorities,
} from './lost-authorities.ts';
import { readNode } from './node-artifacts.ts';
import { silently } from './node-facts.ts';
import { nodeRole } from './node-role.ts';

export interface LostAuthorityOptions {
  /** `init`, or the command of one of its phases. */
  readonly command: string;
  /** Whether a file or a flag says where the certificates are. */
  readonly isTold: boolean;
  /** True if nothing is going to be made: what cannot be looked at is said by the plan. */
  readonly onlyPlanned: boolean;
}

/**
 * Looks for CAs that are gone and must not be made anew, and for the reason: that this is the node of another configuration, or a worker.
 *
 * @throws GroundplaneError BOOTSTRAP_JOIN_CONFLICT if the whole of init is asked for on a worker, BOOTSTRAP_CONFIGURATION_UNKNOWN if it is
 *   without a configuration on a node that has none of its certificates where the defaults have them
 */
export async function judgeLostAuthorities(
  context: InitContext,
  host: Host,
  { command, isTold, onlyPlanned }: LostAuthorityOptions,
): Promise<Pick<InitContext, 'lostAuthorities' | 'certificatesElsewhere'>> {
  const { files } = host;
  const look = <T>(question: () => Promise<T>) => (onlyPlanned ? silently<T>(question) : question());
  const names = authoritiesMadeBy(command);
  if (names.length === 0) return {};
  const lost = await look(() => lostAuthorities(context, files, names));
  if (lost === undefined || Object.keys(lost).length === 0) return {};
  const { ca } = lost;
  const node = await readNode(host);
  const elsewhere = await look(() => certificatesElsewhere(context, { node, files }));
  if (ca !== undefined && command === initWorkflow.name) {
    if ((await nodeRole(host)) === 'worker') throw worker(ca);
    if (!isTold && ca.certificates.length === 0 && !ca.isAwaited) throw unknownConfiguration(ca, elsewhere);
  }
  // Somebody may well have certificates made beside those of this node.
  if (isTold && elsewhere !== undefined && command.startsWith('init phase certs ')) {
    const { ca: _, ...others } = lost;
    const here =
      ca !== undefined && ca.certificates.length > 0 ? { ...others, ca: { ...ca, kubeconfigs: [] } } : others;
    return Object.keys(here).length === 0 ? {} : { lostAuthorities: here };
  }
  return { lostAuthorities: lost, ...(elsewhere === undefined ? {} : { certificatesElsewhere: elsewhere }) };
}

function worker({ place, kubeconfigs }: LostAuthority) {
  return bootstrapError(
    'BOOTSTRAP_JOIN_CONFLICT',
    `Cannot make a control plane here as this machine is a worker of a cluster: it has ${kubeconfigs.join(', ')}, and no CA at ${place}`,
    { hint: 'See what it is: groundplane status. Only to take it out of that cluster: groundplane reset' },
  );
}

function unknownConfiguration(ca: LostAuthority, elsewhere: string | undefined) {
  const where =
    elsewhere === undefined ? 'nothing tells which certificatesDir it has' : `its certificates are in ${elsewhere}`;
  return bootstrapError(
    'BOOTSTRAP_CONFIGURATION_UNKNOWN',
    `Cannot go by the defaults as this is a node that was made with another configuration: ${ca.place} does not exist, ${where}, and there is ${dependantsText(ca)}`,
    {
      hint: `Give the configuration that this node was made with: --config FILE${elsewhere === undefined ? `. Had it none, put ${ca.place} back from a backup` : ''}`,
    },
  );
}
