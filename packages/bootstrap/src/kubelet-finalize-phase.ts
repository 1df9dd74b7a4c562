import { errorsOf, type Finding } from '@groundplane/errors';
import { kubeconfigRow, serverOf, verifyKubeconfig } from '@groundplane/kubeconfig';
import { type AnyPhase, contract, type Host, optional } from '@groundplane/phases';
import { certificateArtifactsOf, kubeconfigArtifact } from './artifacts.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, kubeconfigFactsOf } from './init-context.ts';
import { refersTo, withClientFile } from './rotatable-kubeconfig.ts';

const unit = 'kubelet';
const kubeletKubeconfig = kubeconfigArtifact('kubelet.conf');
const authority = certificateArtifactsOf('ca').certificate;

/**
 * Lets kubelet.conf name the file in which the kubelet renews its client certificate, so that it still works after the embedded one
 * has expired (kubeadm: cmd/phases/init/kubeletfinalize.go). kubeadm restarts the kubelet for it; a running kubelet took that file
 * into use when it started (k8s.io/kubernetes, cmd/kubelet/app/server.go, buildKubeletClientConfig), so that it is left alone unless it
 * has not read what was in kubelet.conf before.
 */
export const kubeletFinalizePhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'kubelet-finalize/enable-client-cert-rotation',
  summary: 'Enable kubelet client certificate rotation',
  configuration: ['nodeRegistration.kubeletExtraArgs'],
  reads: { authority, pem: optional(kubeletClientCertificate) },
  amends: { kubeconfig: optional(kubeletKubeconfig) },
  uses: ['host'],
  demands(config) {
    const path = placeIn(config, kubeletClientCertificate);
    return {
      pem: [
        {
          text: 'It is good for this cluster and node: signed by its CA, valid, with the user of kubelet.conf; otherwise kubelet.conf stays as it is',
          code: 'BOOTSTRAP_KUBELET_CERTIFICATE_UNFIT',
          severity: 'warning',
        },
      ],
      kubeconfig: [
        {
          text: `Where the kubelet keeps its certificate in ${path}, client-certificate and client-key name that file and nothing is embedded`,
          code: 'BOOTSTRAP_KUBELET_CERTIFICATE_FIXED',
          severity: 'error',
        },
      ],
    };
  },
  async verify({ config, inputs, ports: { host }, now }) {
    const place = placeIn(config, kubeletKubeconfig);
    const kubeconfig = await textOf(host, place);
    const { pem } = inputs;
    // Without the file the kubelet does not rotate its certificate.
    if (pem === undefined || kubeconfig === undefined) return [];
    const path = placeIn(config, kubeletClientCertificate);
    if (refersTo(kubeconfig, path)) return [];
    const refusals = await refusalsOf(withClientFile(kubeconfig, path), { config, ca: inputs.authority, pem, now });
    return refusals.length > 0
      ? [unfitFinding(path, refusals)]
      : [
          bootstrapFinding({
            code: 'BOOTSTRAP_KUBELET_CERTIFICATE_FIXED',
            severity: 'error',
            artifact: place,
            message: `${place} does not use the certificate that the kubelet renews: ${path}`,
            hint: 'Run the phase again: init phase kubelet-finalize enable-client-cert-rotation',
          }),
        ];
  },
  async run({ config, inputs, ports: { host }, write, progress }) {
    const place = placeIn(config, kubeletKubeconfig);
    const kubeconfig = await textOf(host, place);
    if (kubeconfig === undefined || inputs.pem === undefined) return;
    // First, as what is written next is no reason for a restart, and would hide that there was one.
    if (await hasNotRead(host, place)) {
      progress('Restarting the kubelet, which was started before kubelet.conf was last changed');
      await host.services.restart(unit);
    }
    progress(`Updating "${place}" to point to a rotatable kubelet client certificate and key`);
    await write('kubeconfig', withClientFile(kubeconfig, placeIn(config, kubeletClientCertificate)));
  },
});

async function textOf(host: Host, path: string): Promise<string | undefined> {
  const content = await host.files.read(path);
  return content && new TextDecoder().decode(content.bytes);
}

async function hasNotRead(host: Host, path: string): Promise<boolean> {
  const [{ active, startedMs }, file] = await Promise.all([host.services.status(unit), host.files.status(path)]);
  return active && startedMs !== undefined && file !== undefined && startedMs < file.modifiedMs;
}

interface Judged {
  readonly config: InitContext;
  readonly ca: string;
  readonly pem: string;
  readonly now: Date;
}

/** Why the API server would not take the kubelet for what it is: a file that an earlier cluster left behind. */
async function refusalsOf(kubeconfig: string, { config, ca, pem, now }: Judged): Promise<readonly Finding[]> {
  const row = kubeconfigRow('kubelet');
  const facts = kubeconfigFactsOf(config);
  const findings = await verifyKubeconfig({
    artifact: 'kubelet.conf',
    kubeconfig,
    certificateAuthority: ca,
    expectedAuthority: 'any',
    files: { [placeIn(config, kubeletClientCertificate)]: pem, [placeIn(config, authority)]: ca },
    server: serverOf(row, facts),
    subject: row.subject(facts),
    subjectRole: row.subjectRole,
    // The phase of kubelet.conf has judged the CA.
    unfitIssuer: 'warning',
    now,
  });
  return errorsOf(findings);
}

function unfitFinding(path: string, refusals: readonly Finding[]): Finding {
  return bootstrapFinding({
    code: 'BOOTSTRAP_KUBELET_CERTIFICATE_UNFIT',
    severity: 'warning',
    artifact: path,
    message: `kubelet.conf keeps its own certificate, as the one in ${path} is not good for this cluster: ${refusals.map(({ message }) => message).join('; ')}`,
    hint: `Remove it and restart the kubelet: rm ${path} && systemctl restart kubelet`,
  });
}
