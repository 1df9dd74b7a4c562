import { generateToken as generate } from '@groundplane/discovery';
import { systemEntropy } from '@groundplane/host';
import type { Invocation } from '../invocation.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';

/** `token generate`: a random token, of which no cluster knows. */
export async function generateToken(invocation: Invocation): Promise<void> {
  const token = generate((length) => systemEntropy().bytes(length));
  if (wantsDocument(invocation)) printDocument(invocation, { token });
  else invocation.output.stdout(`${token}\n`);
}
