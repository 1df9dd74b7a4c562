import { requestingSigner } from '@groundplane/bootstrap';
import { messageOf } from '@groundplane/errors';
import type { Signer } from '@groundplane/phases';
import type { SignerFactory, SignerParameters } from '@groundplane/plugin';
import { cliError } from '../error-codes.ts';
import { type InstalledPlugin, requiredPlugins } from './installed-plugins.ts';
import { type LoadedPlugin, loadPlugins } from './load-plugins.ts';

/**
 * The signer that `signer.plugin` of the configuration names.
 *
 * @param name of the signer; of the plugin, or of its package, where that has one signer
 * @throws GroundplaneError CLI_SIGNER_UNKNOWN, CLI_SIGNER_PARAMETERS, CLI_PLUGIN_UNUSABLE, CLI_PLUGINS_UNREADABLE
 */
export async function signerOfPlugin(
  name: string,
  parameters: SignerParameters = {},
  installed: readonly InstalledPlugin[] = requiredPlugins(),
): Promise<Signer> {
  const offers = (await loadPlugins(installed)).flatMap(offersOf);
  const found = offers.filter((offer) => offer.signer === name);
  const others = found.length > 0 ? found : offers.filter((offer) => offer.package === name || offer.plugin === name);
  const [offer, second] = others;
  const list = offers.map(({ signer }) => signer).join(', ') || 'none';
  if (offer === undefined)
    throw cliError(
      'CLI_SIGNER_UNKNOWN',
      `Cannot use the signer '${name}' as no plugin that is installed has it: ${list}`,
      {
        hint: 'Install its plugin: groundplane plugins install FILE; see: groundplane plugins list',
      },
    );
  if (second !== undefined)
    throw cliError(
      'CLI_SIGNER_UNKNOWN',
      `Cannot use the signer '${name}' as there are several: ${others.map((one) => `${one.signer} of ${one.package}`).join(', ')}`,
      {
        hint: 'Name the signer, and leave one of the plugins out where two have one of that name',
      },
    );
  const secret = secretIn(parameters);
  if (secret !== undefined)
    throw cliError(
      'CLI_SIGNER_PARAMETERS',
      `Cannot use the signer '${offer.signer}' of ${offer.package} as a parameter of it is a secret by its name, and the cluster keeps the configuration: ${secret}`,
      { hint: `Put it into a file that root alone can read, and have the plugin name that: ${secret}File` },
    );
  try {
    return requestingSigner(offer.signer, offer.factory(parameters));
  } catch (cause) {
    throw cliError(
      'CLI_SIGNER_PARAMETERS',
      `Cannot use the signer '${offer.signer}' of ${offer.package} as ${messageOf(cause)}`,
      {
        hint: 'Correct signer.parameters of the GroundplaneConfiguration',
        cause,
      },
    );
  }
}

/** What is a secret by its name, unless that says that it is where one is, or what it is called. */
const secretName =
  /^(?:auth|pin|pass|key)$|(?:password|passphrase|passwd|secret|token|credential|authorization|private_?key|api_?key|access_?key)/i;
const aboutSecret = /(?:file|path|folder|directory|name|url|uri|endpoint|id|ref|reference|ttl|lifetime|kind|type)$/i;
/** A name and a password in a URL. */
const urlWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]*@/i;

/** Name of the first parameter that is a secret by its name, however deep: `authorities.0.password`. */
function secretIn(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') {
    // Of a list the name of the list counts.
    const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
    const isSecret = (secretName.test(name) && !aboutSecret.test(name)) || urlWithPassword.test(value);
    return isSecret && value !== '' ? path.join('.') : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = secretIn(inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Offer {
  readonly package: string;
  readonly plugin: string;
  readonly signer: string;
  readonly factory: SignerFactory;
}

function offersOf({ package: name, plugin }: LoadedPlugin): readonly Offer[] {
  return Object.entries(plugin?.signers ?? {}).map(([signer, factory]) => ({
    package: name,
    plugin: plugin?.name ?? name,
    signer,
    factory,
  }));
}
