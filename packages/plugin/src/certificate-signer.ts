import type { CertificateSigner } from '@groundplane/bootstrap';

/** What the configuration says of a signer: the map `signer.parameters`. Secrets are named by the files that hold them. */
export type SignerParameters = Readonly<Record<string, unknown>>;

/**
 * Makes a signer from its parameters. It looks at them and no further: files are read and servers asked when there is something to sign.
 *
 * @throws an error whose message names the parameter that is missing or cannot be used
 */
export type SignerFactory = (parameters: SignerParameters) => CertificateSigner;
