import { type FlagValues, mixedFlags } from '@groundplane/config';
import { type Invocation, textFlag } from '../invocation.ts';
import { type NodeHost, nodeHost } from '../node-host.ts';
import { readConfigFile } from '../read-config-file.ts';

/** What a workflow and its phases were told. */
export interface WorkflowInput {
  readonly node: NodeHost;
  /** Those that the configuration sees. */
  readonly flags: FlagValues;
  /** The file as `--config` names it. */
  readonly path: string | undefined;
  readonly text: string | undefined;
}

/** Flags that are ours or that concern this process only; the configuration does not see them. */
const ownFlags: ReadonlySet<string> = new Set(['output', 'signer-command', 'v']);

/** @throws GroundplaneError CLI_FILE_UNREADABLE, HOST_ROOT_UNUSABLE */
export async function workflowInput(invocation: Invocation): Promise<WorkflowInput> {
  const node = await nodeHost(invocation);
  const flags = Object.fromEntries(Object.entries(invocation.flags).filter(([name]) => !ownFlags.has(name)));
  const path = textFlag(invocation, 'config') || undefined;
  if (path === undefined) return { node, flags, path, text: undefined };
  // Flags that may not stand beside --config are refused with the configuration, whatever the file is; kubeadm does not read it first.
  const mixed = mixedFlags(Object.keys(flags)).length > 0;
  return { node, flags, path, text: mixed ? '' : await readConfigFile(node, path) };
}
