import { type InitContext, initWorkflow, resolveInit, withRemedies } from '@groundplane/bootstrap';
import type { ReadInitConfiguration } from '@groundplane/config';
import type { Product } from '@groundplane/phases';
import { initClosingLines } from '../render/init-closing-lines.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** kubeadm uploads and says so each time; a token that was made up before is in the join command. */
function keptProducts(context: InitContext, phase: string): readonly Product[] {
  const { init, uploadCerts, skipCertificateKeyPrint, skipTokenPrint, tokenIsGenerated = [] } = context;
  const product = (name: string, value: string): Product => ({ phase, name, value, secret: true });
  if (phase === 'upload-certs' && uploadCerts && !skipCertificateKeyPrint)
    return [product('certificateKey', init.certificateKey)];
  if (phase === 'bootstrap-token' && !skipTokenPrint) {
    const given = init.bootstrapTokens.filter((_, index) => tokenIsGenerated[index] !== true);
    return given.flatMap(({ token }) => (token === undefined ? [] : [product('bootstrapToken', token)]));
  }
  return [];
}

/**
 * How the command line runs `init`.
 *
 * @param read what the input comes to, where it was read already
 */
export function initRun(read?: ReadInitConfiguration): WorkflowRun<InitContext> {
  return {
    workflow: initWorkflow,
    resolve: ({ input, ports, command, looksOnly = false }) =>
      resolveInit({
        configText: input.text,
        flags: input.flags,
        read,
        ports,
        workingDirectory: input.node.absolute('.'),
        command,
        looksOnly,
      }),
    criSocket: ({ init }) => init.nodeRegistration.criSocket,
    signs: true,
    remedied: withRemedies,
    nodeName: ({ init }) => init.nodeRegistration.name,
    settings: ({ groundplane }) => groundplane,
    kubernetesVersion: ({ cluster }) => cluster.kubernetesVersion,
    dryRunVariable: 'KUBEADM_INIT_DRYRUN_DIR',
    keptProducts,
    closing: initClosingLines,
    missing: { reason: 'this release does not have it', hint: 'List the phases with: groundplane phases list' },
  };
}
