import { type InitContext, staticPodManifests } from '@groundplane/bootstrap';
import type { Invocation } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';
import { printDocument, wantsDocument } from './config-command.ts';

/** Prints the static pods that a phase would write, with their patches, as YAML documents or with `-o json` in a list. */
export async function printManifests(
  invocation: Invocation,
  { context, phase, node }: { readonly context: InitContext; readonly phase: string; readonly node: NodeHost },
): Promise<void> {
  const manifests = await staticPodManifests(context, phase, node.host.files);
  if (wantsDocument(invocation)) printDocument(invocation, { manifests: manifests.map(({ pod }) => pod) });
  else invocation.output.stdout(manifests.map(({ text }) => text).join('---\n'));
}
