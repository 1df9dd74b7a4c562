import type { CertificateOrder, CertificateSigner } from '@groundplane/bootstrap';
import { messageOf, withholdSecrets } from '@groundplane/errors';
import { askProgram } from '@groundplane/host';

export interface CommandSignerOptions {
  /** The program, an absolute path or a name that PATH finds, and its arguments, which are words and no shell's. No secrets: everybody on the machine sees them. */
  readonly command: readonly string[];
  /** Name of the node that the certificates are for, for the command; asked when there is something to sign. */
  readonly node?: () => string | undefined;
  /** How long one request may take, in milliseconds. @default five minutes */
  readonly timeoutMs?: number | undefined;
  /** How many run at a time. @default 4 */
  readonly parallel?: number | undefined;
  /** When it aborts the commands that run are ended, and no other is begun. */
  readonly signal?: AbortSignal | undefined;
  /** What the few variables are taken from that the command is given. @default that of this process */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Has certificates signed by a command of the administrator. For each certificate it is run once, with the root directory as its working directory, without a
 * shell, a terminal and other open files, and of the environment with PATH, HOME, USER, LOGNAME, TZ, TMPDIR, LANG and LC_* alone, so that no secret of the caller's comes along.
 *
 * On its standard input it gets one JSON document, in UTF-8, and the end:
 *
 *     { "apiVersion": "groundplane.dev/v1alpha1", "kind": "SigningRequest",
 *       "csr": PEM of the PKCS#10 request, by a key that stays on the node,
 *       "profile": { "artifact": "apiserver", "node": "node-a", "issuer": "ca" | "front-proxy-ca" | "etcd-ca",
 *         "commonName", "organizations": [], "dnsNames": [], "ipAddresses": [],
 *         "keyUsage": ["digitalSignature", …], "extendedKeyUsage": ["serverAuth" | "clientAuth"], "isAuthority": false,
 *         "validity": { "notBefore", "notAfter": RFC 3339 } },
 *       "authority": PEM of the certificate of the CA that has to have signed it, by itself or through intermediates }
 *
 * On its standard output it prints the certificate in PEM, followed by the intermediates if there are any; text around the blocks is passed over.
 * It ends with exit code 0, or prints on standard error why there is no certificate. Later versions may add fields, and a command passes over
 * those that it does not know. `node` and `issuer` may be absent. A profile says all that the certificate has to say and no more; of
 * the validity the end is as late as it may be, and the beginning is a wish.
 *
 * Several may run at once. Once one has failed no other one is begun, as the run does not come to it.
 *
 * @throws TypeError for a command without a program
 */
export function commandSigner(options: CommandSignerOptions): CertificateSigner {
  const { command, node, timeoutMs = 5 * 60_000, parallel = 4, signal } = options;
  const [program = ''] = command;
  if (program === '') throw new TypeError('Cannot make a signer of a command as it names no program');
  const environment = harmless(options.environment ?? process.env);
  const inTurn = turns(parallel);
  const sign = async (order: CertificateOrder): Promise<string> => {
    const input = `${JSON.stringify(documentOf(order, node?.()))}\n`;
    const answer = await askProgram(command, { input, environment, timeoutMs, signal, maximumBytes: longestAnswer });
    if (answer.ended === 'unstarted') throw new Error(`${program} cannot be run: ${answer.reason}`);
    if (answer.ended !== 'done') throw new Error(`${answer.reason}${said(answer.stderr)}`);
    return chainIn(answer.stdout, answer.stderr);
  };
  return { sign: (order) => inTurn(order.name, () => sign(order)) };
}

/** Bytes. A chain has a few thousand. */
const longestAnswer = 256 * 1024;

function documentOf({ name, request, authority, issuer, profile }: CertificateOrder, node: string | undefined) {
  const { commonName, organizations, dnsNames, ipAddresses, keyUsages, extendedKeyUsages, isCA } = profile;
  return {
    apiVersion: 'groundplane.dev/v1alpha1',
    kind: 'SigningRequest',
    csr: request,
    profile: {
      artifact: name,
      ...(node === undefined ? {} : { node }),
      ...(issuer === undefined ? {} : { issuer }),
      ...{ commonName, organizations, dnsNames, ipAddresses },
      keyUsage: keyUsages,
      extendedKeyUsage: extendedKeyUsages,
      isAuthority: isCA,
      validity: { notBefore: timeText(profile.notBefore), notAfter: timeText(profile.notAfter) },
    },
    authority,
  };
}

/** RFC 3339 in whole seconds: certificates have no others. */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Variables without which programs do not find their way, and in which nobody keeps secrets. */
const harmlessVariable = /^(?:PATH|HOME|USER|LOGNAME|TZ|TMPDIR|LANG|LC_[A-Z]+)$/;

function harmless(environment: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => harmlessVariable.test(name)));
}

const block = /-----BEGIN ([^\n-]+)-----[\s\S]*?-----END \1-----/g;

/** @throws Error if there are no certificates, or something else */
function chainIn(text: string, errors: string): string {
  const blocks = [...text.matchAll(block)];
  const other = blocks.find(([, label]) => label !== 'CERTIFICATE');
  if (other !== undefined) throw new Error(`it printed something else than certificates: ${visible(other[1] ?? '')}`);
  if (blocks.length === 0)
    throw new Error(`it printed no certificate in PEM: ${text.length} characters${said(errors)}`);
  return blocks.map(([pem]) => `${pem.replaceAll('\r\n', '\n')}\n`).join('');
}

const mostLines = 10;
const mostCharacters = 1000;

/** The end of what it said on standard error, without secrets and what plays tricks with a terminal. */
function said(errors: string): string {
  const lines = withholdSecrets(errors.replaceAll(privateKey, '<key withheld>'))
    .split(/\r?\n/)
    .map((line) => visible(line).trim())
    .filter((line) => line !== '');
  const text = lines.slice(-mostLines).join(' | ');
  const end = text.length > mostCharacters ? `…${text.slice(-mostCharacters)}` : text;
  return end === '' ? ', and said nothing' : `; it said: ${end}`;
}

/** One that was cut at its beginning or end is one as well. */
const privateKey =
  /(?:-----BEGIN [A-Z ]*PRIVATE KEY-----|^[A-Za-z0-9+/=\s]{60,}(?=-----END))[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

function visible(text: string): string {
  return text.replace(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

/** Runs so many at a time, in the order in which they come; none of those that wait when one fails. */
function turns(parallel: number) {
  const waiting: (() => void)[] = [];
  let [asked, running] = [0, 0];
  let failure: string | undefined;
  const turn = async <T>(name: string, action: () => Promise<T>): Promise<T> => {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    if (failure !== undefined) throw new Error(`it is not asked any more, as it gave none for ${failure}`);
    running += 1;
    try {
      return await action();
    } catch (error) {
      failure ??= `'${name}': ${messageOf(error)}`;
      throw error;
    } finally {
      running -= 1;
    }
  };
  return async <T>(name: string, action: () => Promise<T>): Promise<T> => {
    asked += 1;
    try {
      return await turn(name, action);
    } finally {
      asked -= 1;
      if (asked === 0) failure = undefined;
      waiting.shift()?.();
    }
  };
}
