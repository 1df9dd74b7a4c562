import { listTokens as list } from '@groundplane/bootstrap';
import type { Invocation } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { objectPrinter } from '../render/object-printer.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { tokenCluster } from '../tokens/token-cluster.ts';
import { tokenObject, tokenRow } from '../tokens/token-rows.ts';

/** `token list`: a table, or the objects of kubeadm's output API one after another. */
export async function listTokens(invocation: Invocation): Promise<void> {
  const print = await objectPrinter(invocation, await nodeHost(invocation), 'bootstrap tokens');
  const { cluster } = await tokenCluster(invocation, 10_000);
  const { tokens, findings } = await list(cluster);
  printWarnings(invocation, findings);
  const now = new Date();
  for (const [index, token] of tokens.entries()) {
    invocation.output.stdout(print(tokenObject(token), () => tokenRow(token, { now, isFirst: index === 0 })));
  }
}
