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
