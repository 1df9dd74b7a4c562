import type { Artifact } from '@groundplane/phases';
import { file } from './artifacts.ts';
import { pemCertificate, yamlText } from './formats.ts';

/** What a joining node gets beside the files of every kubelet. */

/** The CA that the kubelet holds the API server to; the same file as on a control-plane node, without its key. */
export const joinedAuthority: Artifact<string> = file({
  id: 'ca-certificate',
  description: 'CA of the cluster',
  path: (layout) => layout.certificateAuthority ?? `${layout.pki}/ca.crt`,
  format: pemCertificate,
  policy: 'preserve',
  mode: 0o644,
  maxMode: 0o644,
});

/** It is there from the start of the kubelet until that has a certificate. */
export const bootstrapKubeconfig: Artifact<string> = file({
  id: 'bootstrap-kubelet.conf',
  description: 'kubeconfig by which the kubelet asks for its certificate',
  path: (layout) => `${layout.kubernetes}/bootstrap-kubelet.conf`,
  format: yamlText('kubeconfig'),
  policy: 'ephemeral',
  mode: 0o600,
  maxMode: 0o640,
  secret: true,
});

/**
 * The kubelet writes it as soon as it starts, and what it refers to when it has a certificate. There is no secret in it, unless
 * somebody else made it.
 */
export const joinedKubeconfig: Artifact<string> = file({
  id: 'kubelet.conf',
  description: 'kubeconfig that the kubelet made for itself',
  path: (layout) => `${layout.kubernetes}/kubelet.conf`,
  format: yamlText('kubeconfig'),
  policy: 'observe',
  mode: 0o600,
  maxMode: 0o640,
});
