import type { SignerParameters } from '@groundplane/plugin';

/** One step-ca, and how it is asked. */
export interface AuthorityParameters {
  /** `https://ca.example.com`, without a path. */
  readonly url: string;
  /** SHA-256 of its root certificate in hexadecimal, as `step certificate fingerprint` prints it. */
  readonly fingerprint?: string;
  /** Path of its root certificate, PEM. */
  readonly rootFile?: string;
  /** Name of a provisioner of type JWK. */
  readonly provisioner: string;
  /** Path of the file with the password of the provisioner's key. */
  readonly passwordFile: string;
}

const names = ['url', 'fingerprint', 'rootFile', 'provisioner', 'passwordFile'] as const;

/**
 * Reads the parameters: one authority, or several under `authorities`, of which the one is asked whose root the certificate has to lead to.
 *
 * @throws Error that names the parameter, and never a value that may be a secret put in the wrong place
 */
export function authorityParameters(parameters: SignerParameters): readonly AuthorityParameters[] {
  const { authorities, ...single } = parameters;
  if (authorities === undefined) return [oneAuthority(single, '')];
  const [stray] = Object.keys(single);
  if (stray !== undefined) throw new Error(`'${stray}' stands beside 'authorities', where each one has its own`);
  if (!Array.isArray(authorities) || authorities.length === 0)
    throw new Error(`'authorities' is no list with an authority in it`);
  return authorities.map((one: unknown, index) => oneAuthority(one, `authorities[${index}].`));
}

function oneAuthority(value: unknown, prefix: string): AuthorityParameters {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`'${prefix.slice(0, -1)}' is no map`);
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no parameter '${prefix}${unknown}'; there are: ${names.join(', ')}`);
  const text = (name: (typeof names)[number]): string | undefined => {
    const found = given[name];
    if (found === undefined) return undefined;
    if (typeof found !== 'string' || found === '') throw new Error(`'${prefix}${name}' is no text`);
    return found;
  };
  const required = (name: (typeof names)[number]): string => {
    const found = text(name);
    if (found === undefined) throw new Error(`'${prefix}${name}' is missing`);
    return found;
  };
  const path = (name: 'rootFile' | 'passwordFile', found: string): string => {
    if (!found.startsWith('/')) throw new Error(`'${prefix}${name}' is no absolute path`);
    return found;
  };
  const fingerprint = text('fingerprint')?.replaceAll(':', '').toLowerCase();
  const rootFile = text('rootFile');
  if ((fingerprint === undefined) === (rootFile === undefined))
    throw new Error(`it needs either '${prefix}fingerprint' or '${prefix}rootFile', so that it knows whom it talks to`);
  if (fingerprint !== undefined && !/^[0-9a-f]{64}$/.test(fingerprint))
    throw new Error(`'${prefix}fingerprint' is no SHA-256 in hexadecimal`);
  return {
    url: authorityUrl(required('url'), `${prefix}url`),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(rootFile === undefined ? {} : { rootFile: path('rootFile', rootFile) }),
    provisioner: required('provisioner'),
    passwordFile: path('passwordFile', required('passwordFile')),
  };
}

function authorityUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url?.protocol !== 'https:' ||
    url.username !== '' ||
    url.password !== '' ||
    !/^\/*$/.test(url.pathname) ||
    url.search + url.hash !== ''
  )
    throw new Error(`'${name}' is no URL of the form https://HOST:PORT`);
  return url.origin;
}
