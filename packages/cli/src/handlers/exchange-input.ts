import {
  certificateAuthorityNames,
  type ExchangeReport,
  type InitContext,
  joinWorkflow,
  webCryptoSigner,
  workerExchange,
} from '@groundplane/bootstrap';
import type { Finding } from '@groundplane/errors';
import type { SuppliedPorts } from '@groundplane/phases';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { type NodeHost, nodeHost, pathFlag } from '../node-host.ts';
import { nodeJournal } from '../node-journal.ts';
import { turnOf, withNodeLock } from '../node-lock.ts';
import { journalPath } from '../own-journal.ts';
import { givenConfig, namingFile } from '../read-config-file.ts';
import { certificateContext, withCertificatesFolder } from './certificate-context.ts';

type AuthorityName = (typeof certificateAuthorityNames)[number];

/** What the commands that exchange certificates with a CA go by. */
export interface ExchangeInput {
  readonly node: NodeHost;
  readonly context: InitContext;
  readonly ports: SuppliedPorts;
  readonly authorities: readonly AuthorityName[] | undefined;
  readonly role: 'control-plane' | 'worker';
  readonly warnings: Finding[];
}

/** @throws GroundplaneError CLI_FLAG_VALUE, CLI_FILE_UNREADABLE, those of the configuration */
export async function exchangeInput(
  invocation: Invocation,
  { endpoint }: { readonly endpoint?: string | undefined } = {},
): Promise<ExchangeInput> {
  const { authorities } = invocation.flags;
  const named = Array.isArray(authorities)
    ? authorities.map((name) => authorityName(name, '--authorities'))
    : undefined;
  const node = await nodeHost(invocation);
  const { path, text: configText } = await givenConfig(invocation, node);
  const ports = localPorts({ node, criSocket: () => '', signer: webCryptoSigner() });
  const role = textFlag(invocation, 'workflow') === joinWorkflow.name ? 'worker' : 'control-plane';
  const workingDirectory = node.absolute('.');
  const givenDirectory = pathFlag(invocation, node, 'kubeconfig-dir');
  const kubeconfigsIn = givenDirectory ?? '/etc/kubernetes';
  const resolved =
    role === 'worker'
      ? await namingFile(path, () =>
          workerExchange({ configText, ports, endpoint, workingDirectory, kubeconfigDirectory: kubeconfigsIn }),
        )
      : await certificateContext({ node, ports, path, configText });
  const context: InitContext = {
    ...withCertificatesFolder(resolved.context, invocation, node),
    kubeconfigDirectory: givenDirectory ?? resolved.context.kubeconfigDirectory,
  };
  return { node, context, ports, authorities: named, role, warnings: [...resolved.warnings] };
}

/** @throws GroundplaneError CLI_FLAG_VALUE */
export function authorityName(name: string, flag: string): AuthorityName {
  const found = certificateAuthorityNames.find((one) => one === name);
  if (found !== undefined) return found;
  throw cliError('CLI_FLAG_VALUE', `Cannot use ${flag} as there is no such CA: ${name}`, {
    hint: `Name one of ${certificateAuthorityNames.join(', ')}`,
  });
}

/** A command's turn at files of the node. */
export interface ExchangeTurn {
  /** For the journal of the node; says what went wrong in `warnings`. */
  readonly onWritten: NonNullable<ExchangeReport['onWritten']>;
}

/**
 * Does something with files of the node while no other command does.
 *
 * @param input what is found about the journal is added to its `warnings`
 */
export async function inTurn<T>(
  invocation: Invocation,
  { node, context, warnings }: Pick<ExchangeInput, 'node' | 'context' | 'warnings'>,
  action: (turn: ExchangeTurn) => Promise<T>,
): Promise<T> {
  const onWritten = nodeJournal(invocation, {
    node,
    path: journalPath(context.groundplane),
    warn: (finding) => warnings.push(finding),
  });
  return withNodeLock(await turnOf(invocation, node), () => action({ onWritten }));
}
