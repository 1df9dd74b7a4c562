import { listTokens as list } from '@groundplane/bootstrap';
import { dataFormat } from '../arguments/data-format.ts';
import type { Invocation } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { objectPrinter } from '../render/object-printer.ts';
import { printDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { tokenCluster } from '../tokens/token-cluster.ts';
import { tokenObject, tokenRow } from '../tokens/token-rows.ts';

/** `token list`: a table, or the objects of kubeadm's output API: as `kubeadm` one after another, with `-o json` of ours in one document. */
export async function listTokens(invocation: Invocation): Promise<void> {
  const { program, flags, output } = invocation;
  const print = await objectPrinter(invocation, await nodeHost(invocation), {
    subject: 'bootstrap tokens',
    type: 'token',
  });
  const { cluster } = await tokenCluster(invocation, 10_000);
  const { tokens, findings } = await list(cluster);
  printWarnings(invocation, findings);
  if (program === 'groundplane' && dataFormat(flags.output) === 'json') {
    return printDocument(invocation, { tokens: tokens.map(tokenObject) });
  }
  const now = new Date();
  for (const [index, token] of tokens.entries()) {
    output.stdout(print(tokenObject(token), () => tokenRow(token, { now, isFirst: index === 0 })));
  }
}
