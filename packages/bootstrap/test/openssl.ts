import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Standard output of openssl. */
export function openssl(args: readonly string[], input = ''): string {
  return execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

/** A key pair and certificate, PEM. */
export interface OpensslPair {
  readonly certificate: string;
  readonly key: string;
}

export interface OpensslRequest {
  /** `/O=group/CN=name` */
  readonly subject: string;
  /** `DNS:a,IP:192.0.2.1` */
  readonly names?: string;
  readonly usages?: string;
  readonly issuer?: OpensslPair;
  /** True for a CA below another one. */
  readonly isCA?: boolean;
}

export function opensslKey(): string {
  return openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']);
}

/** How long the certificates are valid, from the real now on. */
export const opensslDays = 30;

/** A certificate as a person makes it with openssl; a CA if it has no issuer. */
export function opensslCertificate({ subject, names, usages, issuer, isCA = false }: OpensslRequest): OpensslPair {
  const directory = mkdtempSync(join(tmpdir(), 'bootstrap-openssl-'));
  try {
    const put = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    const key = opensslKey();
    const extensions = [
      ...(issuer === undefined || isCA
        ? ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign']
        : ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature']),
      ...(usages === undefined ? [] : [`extendedKeyUsage=${usages}`]),
      ...(names === undefined ? [] : [`subjectAltName=${names}`]),
    ];
    const certificate = join(directory, 'certificate.crt');
    openssl([
      ...[
        'req',
        '-x509',
        '-new',
        '-key',
        put('own.key', key),
        '-subj',
        subject,
        '-out',
        certificate,
        '-days',
        String(opensslDays),
      ],
      ...['-config', put('openssl.cnf', '[req]\ndistinguished_name=dn\n[dn]\n')],
      ...extensions.flatMap((extension) => ['-addext', extension]),
      ...(issuer === undefined ? [] : ['-CA', put('ca.crt', issuer.certificate), '-CAkey', put('ca.key', issuer.key)]),
    ]);
    return { certificate: readFileSync(certificate, 'utf8'), key };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A CA certificate for this key, signed by itself, as `openssl req` makes it with these arguments. */
export function selfSigned(key: string, ...args: readonly string[]): OpensslPair {
  const directory = mkdtempSync(join(tmpdir(), 'bootstrap-openssl-'));
  try {
    const file = join(directory, 'own.key');
    writeFileSync(file, key);
    const usages = ['-addext', 'keyUsage=critical,keyCertSign'];
    return { certificate: openssl(['req', '-x509', '-new', '-key', file, '-days', '4000', ...usages, ...args]), key };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
