import { createToken as create, tokenWarnings } from '@groundplane/bootstrap';
import { type BootstrapToken, goDurationMilliseconds, mixedFlags, readTokenConfiguration } from '@groundplane/config';
import {
  generateToken,
  joinCommand,
  type NewBootstrapToken,
  parseToken,
  pinsOf,
  tokenText,
} from '@groundplane/discovery';
import { systemEntropy } from '@groundplane/host';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { namingFile, readConfigFile } from '../read-config-file.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import type { LoadedKubeconfig } from '../tokens/kubeconfig-files.ts';
import { tokenCluster } from '../tokens/token-cluster.ts';
import { tokenJournal } from '../tokens/token-journal.ts';

/** As long as kubeadm goes on trying to create one (constants.go, KubernetesAPICallTimeout). */
const timeoutMs = 60_000;

/**
 * `token create`: makes the tokens that were asked for and prints the first, or with `--print-join-command` how a node joins
 * with it.
 *
 * @throws GroundplaneError CLI_FLAG_VALUE, CLI_FILE_UNREADABLE; those of the configuration, of `createToken` and of the connection
 */
export async function createToken(invocation: Invocation): Promise<void> {
  const printsCommand = invocation.flags['print-join-command'] === true;
  const certificateKey = textFlag(invocation, 'certificate-key') ?? '';
  if (certificateKey !== '' && !printsCommand) {
    throw cliError('CLI_FLAG_VALUE', 'cannot use --certificate-key without --print-join-command', {
      hint: 'Add --print-join-command, or leave --certificate-key out',
    });
  }
  const tokens = await wantedTokens(invocation);
  const connected = await tokenCluster(invocation, timeoutMs);
  const { cluster, kubeconfig } = connected;
  const location = printsCommand ? await clusterLocation(kubeconfig) : undefined;
  const note = tokenJournal(invocation, connected);
  for (const token of tokens) {
    await create(cluster, token, { now: new Date() });
    await note(token.id, 'created');
  }
  const [first] = tokens;
  if (first === undefined) return;
  const token = tokenText(first);
  const command =
    location &&
    joinCommand(
      { ...location, program: invocation.program, token, certificateKey, controlPlane: certificateKey !== '' },
      { oneLine: true },
    );
  if (wantsDocument(invocation)) printDocument(invocation, { token, ...(command && { joinCommand: command.trim() }) });
  else invocation.output.stdout(`${command ?? token}\n`);
}

async function wantedTokens(invocation: Invocation): Promise<readonly NewBootstrapToken[]> {
  const { output: _, v: __, ...flags } = invocation.flags;
  const path = textFlag(invocation, 'config') || undefined;
  const isMixed = mixedFlags(Object.keys(flags)).length > 0;
  const text = path === undefined ? undefined : isMixed ? '' : await readConfigFile(await nodeHost(invocation), path);
  const read = await namingFile(path, () => readTokenConfiguration(text, { flags, token: invocation.words[0] }));
  printWarnings(invocation, [...read.warnings, ...tokenWarnings({ bootstrapTokens: read.tokens })]);
  return read.tokens.map(newToken);
}

function newToken({ token, description, ttl, expires, usages, groups }: BootstrapToken): NewBootstrapToken {
  const parts = parseToken(token ?? generateToken((length) => systemEntropy().bytes(length)));
  return {
    ...parts,
    description,
    usages,
    groups,
    ...(ttl === undefined ? {} : { ttlMs: goDurationMilliseconds(ttl) }),
    ...(expires === undefined ? {} : { expires: new Date(expires) }),
  };
}

/** Found out before a token is made: without it there is no command. */
async function clusterLocation({ server, certificateAuthority }: LoadedKubeconfig) {
  if (certificateAuthority === undefined) {
    throw cliError('CLI_FILE_UNREADABLE', 'failed to get join command: no CA certificates found in kubeconfig', {
      hint: 'Use a kubeconfig that holds the CA of the cluster, or names its file',
    });
  }
  return { server, caCertHashes: await pinsOf(certificateAuthority) };
}
