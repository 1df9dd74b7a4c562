import { errorsOf, type Finding } from '@groundplane/errors';
import type { JoinConfiguration, JoinControlPlane, ResetConfiguration } from './command-configuration-types.ts';
import { invalidConfiguration } from './findings.ts';
import type { ReadDocument, ReadDocumentOptions } from './read-command-documents.ts';
import {
  controlPlaneTaint,
  type HostFacts,
  type ResolveNodeOptions,
  resolveAdvertiseAddress,
  resolveCriSocket,
  resolveNodeRegistration,
} from './resolve-node.ts';
import { validateResetConfiguration } from './validate-command-configurations.ts';
import { validateJoinConfiguration } from './validate-join-configuration.ts';

/**
 * Fills in what depends on the host: node name, CRI socket, advertise address, and the taint of control plane nodes
 * (kubeadm, SetJoinDynamicDefaults); then holds the whole to the rules again.
 *
 * @throws GroundplaneError CONFIG_INVALID with all problems as findings
 */
export function resolveJoinConfiguration(
  read: ReadDocument<JoinConfiguration>,
  host: HostFacts,
  options: ResolveNodeOptions & ReadDocumentOptions = {},
): ReadDocument<JoinConfiguration> {
  const findings: Finding[] = [...read.warnings];
  const { controlPlane } = read.configuration;
  const node = resolveNodeRegistration(read.configuration.nodeRegistration, host, options, findings);
  const configuration = {
    ...read.configuration,
    nodeRegistration: controlPlane === undefined ? node : { ...node, taints: node.taints ?? [controlPlaneTaint] },
    ...(controlPlane !== undefined && { controlPlane: resolveControlPlane(controlPlane, host, options, findings) }),
  };
  findings.push(...validateJoinConfiguration(configuration, options));
  return finished('the JoinConfiguration on this host', configuration, findings);
}

function resolveControlPlane(
  controlPlane: JoinControlPlane,
  host: HostFacts,
  options: ResolveNodeOptions,
  findings: Finding[],
): JoinControlPlane {
  const { localAPIEndpoint } = controlPlane;
  const path = 'controlPlane.localAPIEndpoint.advertiseAddress';
  const given = localAPIEndpoint.advertiseAddress;
  const advertiseAddress = resolveAdvertiseAddress(given, host, { ...options, path }, findings);
  return { ...controlPlane, localAPIEndpoint: { ...localAPIEndpoint, advertiseAddress } };
}

/**
 * Fills in the CRI socket (kubeadm, SetResetDynamicDefaults).
 *
 * @throws GroundplaneError CONFIG_INVALID
 */
export function resolveResetConfiguration(
  read: ReadDocument<ResetConfiguration>,
  host: HostFacts,
  options: ResolveNodeOptions = {},
): ReadDocument<ResetConfiguration> {
  const findings: Finding[] = [...read.warnings];
  const { criSocket } = read.configuration;
  const configuration = {
    ...read.configuration,
    criSocket: resolveCriSocket(criSocket, host, { ...options, path: 'criSocket' }, findings),
  };
  findings.push(...validateResetConfiguration(configuration));
  return finished('the ResetConfiguration on this host', configuration, findings);
}

function finished<T>(subject: string, configuration: T, findings: readonly Finding[]): ReadDocument<T> {
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration(subject, errors);
  return { configuration, warnings: findings };
}
