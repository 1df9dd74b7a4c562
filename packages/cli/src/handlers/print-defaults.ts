import { type PrintedKind, printedDefaults } from '@groundplane/config';
import { parseDocuments } from '@groundplane/manifest';
import type { Invocation } from '../invocation.ts';
import { nodeHost } from '../node-host.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';

/**
 * `config print init-defaults` and the others; with `-o json` the documents in a list.
 *
 * @throws GroundplaneError CONFIG_COMPONENT_UNKNOWN
 */
export async function printDefaults(invocation: Invocation): Promise<void> {
  const kind = (invocation.path.at(-1) ?? '').replace(/-defaults$/, '') as PrintedKind;
  const componentConfigs = (invocation.flags['component-configs'] ?? []) as readonly string[];
  const hostName = await (await nodeHost(invocation)).host.facts.hostName();
  const text = printedDefaults(kind, { componentConfigs, hostName });
  if (!wantsDocument(invocation)) return invocation.output.stdout(text);
  printDocument(invocation, { documents: parseDocuments(text).map(({ value }) => value) });
}
