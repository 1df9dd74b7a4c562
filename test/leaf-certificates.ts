import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { kubeconfigData } from './kubeconfig-data.ts';

export interface LeafCertificate {
  /** Path below the folder. */
  readonly path: string;
  readonly certificate: X509Certificate;
  /** PEM of it and of what comes with it. */
  readonly chain: string;
}

/** Certificates below a folder that are not of CAs, those in kubeconfigs too. */
export function leafCertificates(folder: string): readonly LeafCertificate[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry): readonly LeafCertificate[] => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'utf8');
      const chain = text.includes('client-certificate-data') ? kubeconfigData(text, 'client-certificate-data') : text;
      const start = chain.indexOf('-----BEGIN CERTIFICATE');
      if (start < 0) return [];
      const certificate = new X509Certificate(chain.slice(start));
      return certificate.ca ? [] : [{ path: relative(folder, path), certificate, chain: chain.slice(start) }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * @param folder for a file
 * @throws Error with what openssl says if a chain does not lead to a root
 */
export function verifyChain(chain: string, rootFile: string, folder: string): void {
  const file = join(folder, 'chain.pem');
  writeFileSync(file, chain);
  execFileSync('openssl', ['verify', '-CAfile', rootFile, '-untrusted', file, file], { stdio: 'pipe' });
}
