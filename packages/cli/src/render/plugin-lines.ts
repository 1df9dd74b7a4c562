import type { PluginContents } from '../plugins/try-plugin.ts';

/** Plugins for people: each with what it adds. */
export function pluginLines(
  plugins: readonly (PluginContents & { readonly root?: string; readonly problem?: string })[],
): readonly string[] {
  return plugins.flatMap(({ name, version, root, signers, phases, problem }) => [
    [name, version, root === undefined ? '' : `(${root})`].filter((part) => part !== '').join(' '),
    ...(problem === undefined ? [] : [`  unusable: ${problem}`]),
    ...signers.map((signer) => `  signer ${signer}`),
    ...phases.map(({ workflow, phase, after }) => `  phase ${phase} of ${workflow}, after ${after}`),
  ]);
}
