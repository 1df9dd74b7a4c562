import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CertificateOrder } from '@groundplane/plugin';
import type { AuthorityParameters } from './authority-parameters.ts';
import { requestJson } from './json-request.ts';
import { oneTimeToken } from './one-time-token.ts';
import { findProvisioner, openKey, type ProvisionerKey } from './provisioner-key.ts';

/** One step-ca. */
export interface StepAuthority {
  /** SHA-256 of its root in hexadecimal. */
  fingerprint(): Promise<string>;
  /** @returns PEM of the certificate and its intermediates */
  sign(order: CertificateOrder): Promise<string>;
}

/** Asks an authority; what it needs for that is fetched once. */
export function stepAuthority(parameters: AuthorityParameters): StepAuthority {
  const { url, provisioner } = parameters;
  const root = once(() => rootOf(parameters));
  const key = once(async () => openProvisioner(parameters, await root()));
  return {
    fingerprint: async () => parameters.fingerprint ?? fingerprintOf(await root()),
    async sign({ request, profile }) {
      const trusted = await root();
      const token = await oneTimeToken({ url, fingerprint: fingerprintOf(trusted), provisioner, profile }, await key());
      const [notBefore, notAfter] = [profile.notBefore, profile.notAfter].map(instant);
      const body = { csr: request, ott: token, notBefore, notAfter };
      return chainOf(await requestJson({ url: `${url}/1.0/sign`, root: trusted, body }), url);
    },
  };
}

/** Go reads RFC 3339; X.509 has no fractions of a second. */
function instant(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Several certificates are asked for at the same time, and all of them need it. What failed is tried again by the next. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    const current = answer ?? ask();
    answer = current;
    current.catch(() => {
      answer = undefined;
    });
    return current;
  };
}

/** @throws Error if it is not the one of the fingerprint, or cannot be read */
async function rootOf({ url, fingerprint, rootFile }: AuthorityParameters): Promise<string> {
  if (rootFile !== undefined) return certificateText(await fileText(rootFile, 'rootFile'), rootFile);
  // Who answers is not known yet: that what is answered has the fingerprint is what counts.
  const answer = await requestJson({ url: `${url}/1.0/root/${fingerprint}`, root: 'unverified' });
  const { ca } = (answer ?? {}) as { readonly ca?: unknown };
  const text = certificateText(typeof ca === 'string' ? ca : '', url);
  if (fingerprintOf(text) !== fingerprint)
    throw new Error(`the root certificate of ${url} has another fingerprint: ${fingerprintOf(text)}`);
  return text;
}

function certificateText(text: string, place: string): string {
  try {
    return new X509Certificate(text).toString();
  } catch (cause) {
    throw new Error(`there is no certificate in what ${place} says`, { cause });
  }
}

/** SHA-256 of the DER of a certificate, as `step` writes it. */
export function fingerprintOf(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
}

async function openProvisioner(
  { url, provisioner, passwordFile }: AuthorityParameters,
  root: string,
): Promise<ProvisionerKey> {
  for (let cursor = ''; ; ) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await requestJson({ url: `${url}/1.0/provisioners?limit=100${query}`, root });
    const found = findProvisioner(page, provisioner);
    if (found !== undefined) return openKey(found, new TextEncoder().encode(await password(passwordFile)));
    const { nextCursor } = (page ?? {}) as { readonly nextCursor?: unknown };
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor)
      throw new Error(`${url} has no provisioner '${provisioner}'`);
    cursor = nextCursor;
  }
}

/** As `step` reads it: editors end a file with a line break that is none of the password. */
async function password(path: string): Promise<string> {
  const text = (await fileText(path, 'passwordFile')).trimEnd();
  if (text === '') throw new Error(`there is no password in ${path}`);
  return text;
}

async function fileText(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(
      `the file of '${name}' cannot be read: ${(cause as NodeJS.ErrnoException).code ?? 'it is no text'} ${path}`,
      { cause },
    );
  }
}

/** The certificate and what leads to the root, without the root, which its users have. */
function chainOf(answer: unknown, url: string): string {
  const { crt, ca, certChain } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const texts = (Array.isArray(certChain) && certChain.length > 0 ? certChain : [crt, ca]).filter(
    (one) => typeof one === 'string',
  );
  if (texts.length === 0) throw new Error(`${url} answers without a certificate`);
  const [leaf, ...others] = texts.map((text: string) => certificateText(text, url));
  const isRoot = (text: string) => {
    const certificate = new X509Certificate(text);
    return certificate.checkIssued(certificate);
  };
  return [leaf, ...others.filter((text) => !isRoot(text))].join('');
}
