import { type GroundplanePlugin, interfaceVersion } from '@groundplane/plugin';
import { cliError } from '../error-codes.ts';

/** The error for a plugin that cannot be used: which, why, and what to do about it. */
export function unusablePlugin(
  name: string,
  reason: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
) {
  const { hint = `Mend it, or take it out: groundplane plugins uninstall ${name}`, cause } = options;
  return cliError('CLI_PLUGIN_UNUSABLE', `Cannot use the plugin '${name}' as ${reason}`, {
    hint,
    details: { plugin: name },
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Holds what a plugin exports to the interface.
 *
 * @param name of its package
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE with the first thing that is wrong
 */
export function checkPlugin(name: string, exported: unknown): GroundplanePlugin {
  if (!isRecord(exported)) throw unusablePlugin(name, `its default export is no plugin: ${kindOf(exported)}`);
  const { interfaceVersion: version, name: own, signers, phases } = exported;
  if (typeof version !== 'number' || !Number.isInteger(version))
    throw unusablePlugin(name, `it does not say which interface version it is made for: ${kindOf(version)}`);
  if (version !== interfaceVersion) {
    const age = version < interfaceVersion ? 'an older' : 'a newer';
    const hint =
      version < interfaceVersion
        ? `Install a newer version of the plugin, or take it out: groundplane plugins uninstall ${name}`
        : `Update groundplane, or take the plugin out: groundplane plugins uninstall ${name}`;
    throw unusablePlugin(name, `it is made for ${age} interface version than ${interfaceVersion}: ${version}`, {
      hint,
    });
  }
  if (typeof own !== 'string' || own === '') throw unusablePlugin(name, `its 'name' is no text: ${kindOf(own)}`);
  if (signers !== undefined && !isRecord(signers))
    throw unusablePlugin(name, `its 'signers' are no map of functions: ${kindOf(signers)}`);
  for (const [signer, factory] of Object.entries(signers ?? {}))
    if (typeof factory !== 'function')
      throw unusablePlugin(name, `its signer '${signer}' is no function: ${kindOf(factory)}`);
  if (phases !== undefined && typeof phases !== 'function')
    throw unusablePlugin(name, `its 'phases' are no function: ${kindOf(phases)}`);
  return exported as unknown as GroundplanePlugin;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What something is, for messages: its kind and never its value, which may be anything. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
