import { type InitContext, phaseManifests } from '@groundplane/bootstrap';
import type { Invocation } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';

const separator = '---\n';

/** Prints what a phase would write, with patches, as YAML documents or with `-o json` in a list. */
export async function printManifests(
  invocation: Invocation,
  { context, phase, node }: { readonly context: InitContext; readonly phase: string; readonly node: NodeHost },
): Promise<void> {
  const manifests = await phaseManifests(context, phase, node.host.files);
  if (wantsDocument(invocation)) {
    const objects = manifests.map(({ object }) => object);
    return printDocument(invocation, { manifests: objects }, 'manifests');
  }
  // kubeadm begins each document of an addon with the separator; static pods are files of their own.
  const texts = phase.startsWith('addon/')
    ? ['', ...manifests.map(({ text }) => text)]
    : manifests.map(({ text }) => text);
  invocation.output.stdout(texts.join(separator));
}
