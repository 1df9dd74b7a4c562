import type { Artifact } from '@groundplane/phases';
import { isAuthority } from '@groundplane/pki';
import { certificateArtifacts, file, kubeconfigArtifacts } from './artifacts.ts';
import { plainText } from './formats.ts';

/** Files that wait on a node while a CA elsewhere signs. No component reads them. */

const request = (name: string, id: string, folder: 'pki' | 'kubernetes'): Artifact<string> =>
  file({
    id,
    description: `signing request of ${name}`,
    path: (layout) => `${layout[folder]}/${id.replace(/^pki\//, '')}`,
    format: plainText,
    policy: 'converge',
    mode: 0o600,
  });

/** Name of the certificate, or file name of the kubeconfig → its signing request, where kubeadm's `certs generate-csr` puts it. */
export const requestArtifacts: Readonly<Record<string, Artifact<string>>> = Object.fromEntries([
  ...certificateArtifacts
    .filter(({ row }) => !isAuthority(row))
    .map(({ row }) => [row.name, request(row.name, `pki/${row.baseName}.csr`, 'pki')]),
  ...Object.keys(kubeconfigArtifacts).map((name) => [name, request(name, `${name}.csr`, 'kubernetes')]),
]);

export function requestArtifactOf(name: string): Artifact<string> {
  const found = requestArtifacts[name];
  if (found === undefined) throw new TypeError(`Cannot find the signing request '${name}' as nothing of it is signed`);
  return found;
}

/** Intermediate CAs whose certificates are still to come. */
export const intermediatesFile: Artifact<string> = file({
  id: 'pki/intermediates.crt',
  description: 'intermediate CAs of certificates that are still to come',
  path: (layout) => `${layout.pki}/intermediates.crt`,
  format: plainText,
  policy: 'converge',
  mode: 0o644,
});
