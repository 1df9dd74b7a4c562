import { type InitContext, type ResolvedInit, resolveInit } from '@groundplane/bootstrap';
import type { SuppliedPorts } from '@groundplane/phases';
import type { Invocation } from '../invocation.ts';
import { type NodeHost, pathFlag } from '../node-host.ts';
import { namingFile } from '../read-config-file.ts';

/** The command of a phase that asks the machine for as much as those about certificates. */
const command = 'init phase kubeconfig admin';

export interface CertificateInput {
  readonly node: NodeHost;
  readonly ports: SuppliedPorts;
  /** Path and text of the file that `--config` names. */
  readonly path: string | undefined;
  readonly configText: string | undefined;
}

/**
 * What commands about certificates go by on a control-plane node; nothing is made by phases.
 *
 * @throws GroundplaneError those of the configuration
 */
export function certificateContext({ node, ports, path, configText }: CertificateInput): Promise<ResolvedInit> {
  return namingFile(path, () =>
    resolveInit({ configText, ports, command, looksOnly: true, workingDirectory: node.absolute('.') }),
  );
}

/** The same with the folder that `--cert-dir` names. */
export function withCertificatesFolder(context: InitContext, invocation: Invocation, node: NodeHost): InitContext {
  const certificatesDir = pathFlag(invocation, node, 'cert-dir');
  return certificatesDir === undefined ? context : { ...context, cluster: { ...context.cluster, certificatesDir } };
}
