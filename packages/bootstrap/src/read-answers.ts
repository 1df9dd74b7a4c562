import type { Finding } from '@groundplane/errors';
import {
  type CertificateAuthorityName,
  type CertificateDescription,
  describeCertificate,
  publicKeysOf,
  readAnswer,
} from '@groundplane/pki';
import { bootstrapFinding } from './error-codes.ts';

/** A file that a CA sent back. */
export interface AnswerFile {
  /** As people call it: its path as given, or `standard input`. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The CA whose certificate is the first of this file, if somebody says so. */
  readonly authority?: CertificateAuthorityName | undefined;
}

/** One certificate of such a file. */
export interface Answer {
  readonly file: AnswerFile;
  /** The CA that somebody says it is. */
  readonly told?: CertificateAuthorityName;
  /** PEM */
  readonly certificate: string;
  readonly description: CertificateDescription;
  /** PEM `PUBLIC KEY` */
  readonly publicKey: string;
}

export interface ReadAnswers {
  /** Each certificate once, however often it came; one that is said to be several CAs once for each. */
  readonly answers: readonly Answer[];
  readonly problems: readonly Finding[];
}

/** Reads what CAs sent back, in whatever form. */
export async function readAnswers(files: readonly AnswerFile[]): Promise<ReadAnswers> {
  const answers = new Map<string, Answer>();
  const problems: Finding[] = [];
  for (const file of files) {
    const read = await readAnswer(file.bytes);
    problems.push(...read.problems.map((reason) => unreadable(file.name, reason)));
    for (const [index, certificate] of read.certificates.entries()) {
      // One CA may be several of a node, each told by a file of its own.
      const told = index === 0 ? (file.authority ?? namesAuthority(file.name)) : undefined;
      const id = `${told ?? ''} ${certificate}`;
      if (answers.has(id)) continue;
      const [publicKey] = await publicKeysOf(certificate);
      if (publicKey === undefined)
        problems.push(unreadable(file.name, 'the public key of a certificate in it cannot be read'));
      else
        answers.set(id, {
          file,
          ...(told === undefined ? {} : { told }),
          certificate,
          description: await describeCertificate(certificate),
          publicKey,
        });
    }
  }
  return { answers: [...answers.values()], problems };
}

function unreadable(name: string, reason: string): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_ANSWER_UNREADABLE',
    severity: 'error',
    artifact: name,
    message: `Cannot read all of ${name} as ${reason}`,
    hint: `Give certificates as PEM, DER or PKCS#7; see what is in it: openssl asn1parse -in ${name}`,
  });
}

/** File names, without ending, that say which CA it is. */
const authorityFileNames: Readonly<Record<string, CertificateAuthorityName>> = {
  ca: 'ca',
  'kubernetes-ca': 'ca',
  'front-proxy-ca': 'front-proxy-ca',
  'etcd-ca': 'etcd-ca',
};

function namesAuthority(name: string): CertificateAuthorityName | undefined {
  const path = name.replace(/\.[^./]*$/, '');
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (/(^|\/)etcd\/ca$/.test(path)) return 'etcd-ca';
  return Object.hasOwn(authorityFileNames, base) ? authorityFileNames[base] : undefined;
}

/** Common names of the CAs that kubeadm makes, which others keep to. */
const authorityCommonNames: Readonly<Record<string, CertificateAuthorityName>> = {
  kubernetes: 'ca',
  'front-proxy-ca': 'front-proxy-ca',
  'etcd-ca': 'etcd-ca',
};

export interface ClaimedAuthority {
  readonly name: CertificateAuthorityName;
  /** True if somebody says so, and not only the certificate itself. */
  readonly isTold: boolean;
}

/**
 * Which CA of the node a CA certificate is: as somebody says, as its file is called (`ca.crt`, `front-proxy-ca.crt`, `etcd-ca.crt`,
 * `etcd/ca.crt`, of which the first certificate counts), or as it calls itself. Whom a cluster trusts is not guessed from what signed what.
 */
export function authorityOf({ told, description }: Answer): ClaimedAuthority | undefined {
  if (told !== undefined) return { name: told, isTold: true };
  const { commonName } = description.subject;
  const name = Object.hasOwn(authorityCommonNames, commonName) ? authorityCommonNames[commonName] : undefined;
  return description.isCA && name !== undefined ? { name, isTold: false } : undefined;
}

/** How messages call an answer: its subject and its file. */
export function nameOfAnswer({ description, file }: Answer): string {
  return `'${description.subjectText || `serial number ${description.serialNumber}`}' of ${file.name}`;
}
