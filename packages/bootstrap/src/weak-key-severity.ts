import type { Severity } from '@groundplane/errors';

/** Certificates and kubeconfigs by which the phases themselves connect to the API server. */
const ofOurConnections: readonly string[] = ['ca', 'apiserver', 'admin', 'super-admin'];

/**
 * How bad an RSA key of 1024 to 2047 bits is: Kubernetes works with it, and the TLS of the phases (OpenSSL, security level 2) does not.
 *
 * @param name of a row of the table of certificates, or of kubeconfigs
 */
export function weakKeySeverity(name: string): Severity {
  return ofOurConnections.includes(name) ? 'error' : 'warning';
}
