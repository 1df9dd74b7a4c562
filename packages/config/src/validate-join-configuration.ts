import { type Finding, looksLikeToken } from '@groundplane/errors';
import type { BootstrapTokenDiscovery, JoinConfiguration } from './command-configuration-types.ts';
import type { Problem } from './decode-document.ts';
import { problemFinding } from './findings.ts';
import { goUrlScheme } from './go-url.ts';
import type { ReadDocumentOptions } from './read-command-documents.ts';
import { type Check, controlPlaneNodeChecks, given, nodeChecks, runChecks } from './value-check.ts';
import { valueRules } from './value-rules.ts';

const checks: readonly Check<JoinConfiguration>[] = [
  ...nodeChecks<JoinConfiguration>(({ nodeRegistration }) => nodeRegistration),
  ...controlPlaneNodeChecks<JoinConfiguration>('controlPlane.', ({ controlPlane }) => controlPlane),
  { path: 'caCertPath', rule: valueRules.certificatePath, values: ({ caCertPath }) => [caCertPath] },
];

const discoveryChecks: readonly Check<BootstrapTokenDiscovery>[] = [
  {
    path: 'discovery.bootstrapToken.token',
    rule: valueRules.bootstrapToken,
    values: ({ token }) => [token],
    secret: true,
  },
  {
    path: 'discovery.bootstrapToken.apiServerEndpoint',
    rule: valueRules.hostAndPort,
    values: ({ apiServerEndpoint }) => [apiServerEndpoint],
    hint: (endpoint) =>
      looksLikeToken(endpoint)
        ? 'It looks like a token: give it with --token, and the API server as HOST:PORT'
        : undefined,
  },
];

/**
 * Holds a JoinConfiguration after defaulting to kubeadm's rules (ValidateJoinConfiguration). Values that are empty until
 * resolved are skipped.
 *
 * @param options.missingFiles of the files that discovery names, those that do not exist
 * @param options.requireDiscovery whether it must say how the cluster is found
 */
export function validateJoinConfiguration(
  join: JoinConfiguration,
  options: ReadDocumentOptions = {},
): readonly Finding[] {
  return [...validateDiscovery(join, options), ...runChecks(checks, join)].map(problemFinding);
}

function validateDiscovery(
  { discovery }: JoinConfiguration,
  { missingFiles = [], requireDiscovery = true }: ReadDocumentOptions,
): readonly Problem[] {
  const { bootstrapToken, file, tlsBootstrapToken } = discovery;
  const problems: Problem[] = [];
  if (requireDiscovery && bootstrapToken === undefined && file === undefined) {
    problems.push({ path: 'discovery', reason: 'bootstrapToken or file must be set' });
  }
  if (bootstrapToken !== undefined && file !== undefined) {
    problems.push({ path: 'discovery', reason: 'bootstrapToken and file cannot both be set' });
  }
  if (bootstrapToken !== undefined) problems.push(...validateTokenDiscovery(bootstrapToken));
  if (file !== undefined) problems.push(...validateFile(file.kubeConfigPath, missingFiles));
  const tlsToken = bootstrapToken === undefined ? given(tlsBootstrapToken) : [tlsBootstrapToken];
  const tlsCheck = { path: 'discovery.tlsBootstrapToken', rule: valueRules.bootstrapToken, values: () => tlsToken };
  return bootstrapToken === undefined && file === undefined
    ? problems
    : [...problems, ...runChecks([{ ...tlsCheck, secret: true }], discovery)];
}

function validateTokenDiscovery(discovery: BootstrapTokenDiscovery): readonly Problem[] {
  const path = 'discovery.bootstrapToken';
  const problems: Problem[] = [];
  if (discovery.apiServerEndpoint === '') problems.push({ path, reason: 'apiServerEndpoint is not set' });
  if (discovery.caCertHashes.length === 0 && !discovery.unsafeSkipCAVerification) {
    problems.push({
      path: `${path}.caCertHashes`,
      reason:
        'without a pin of the CA the cluster cannot be told from another; give caCertHashes, or unsafeSkipCAVerification: true to take the risk',
      value: [],
    });
  }
  return [...problems, ...runChecks(discoveryChecks, discovery)];
}

function validateFile(kubeConfigPath: string, missingFiles: readonly string[]): readonly Problem[] {
  const path = 'discovery.file.kubeConfigPath';
  const scheme = goUrlScheme(kubeConfigPath);
  const isMissing = kubeConfigPath === '' || missingFiles.includes(kubeConfigPath);
  if (scheme === undefined || (scheme === '' && isMissing)) {
    return [{ path, reason: 'it is neither an HTTPS URL nor a file on disk', value: kubeConfigPath }];
  }
  if (scheme === '' || scheme === 'https') return [];
  return [{ path, reason: 'the scheme of a URL must be https', value: kubeConfigPath }];
}
