import { type AnyPhase, contract, optional } from '@groundplane/phases';
import { kubeconfigArtifact } from './artifacts.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { kubeletFileDemands, runningKubeletDemands } from './kubelet-demands.ts';
import { kubeletFileFindings } from './kubelet-file-findings.ts';
import { kubeletFileContents, kubeletFiles, runningKubeletFindings, startKubelet } from './kubelet-files.ts';
import { refersTo } from './rotatable-kubeconfig.ts';

const kubeletKubeconfig = kubeconfigArtifact('kubelet.conf');

/** Writes the kubelet's files and has it run with them (kubeadm: cmd/phases/init/kubelet.go). */
export const kubeletStartPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'kubelet-start',
  summary: 'Write kubelet settings and (re)start the kubelet',
  configuration: ['nodeRegistration', 'KubeletConfiguration', 'patches'],
  reads: { kubeconfig: optional(kubeletKubeconfig) },
  writes: kubeletFiles,
  uses: ['host'],
  render: ({ config, existing, outputs }) => outputs(kubeletFileContents(config, existing)),
  verify({ config, inputs, ports: { host } }) {
    const layout = layoutOf(config);
    const { kubeletClientCertificate: own = '' } = layout;
    // Pointed to the certificate that the kubelet keeps by itself, kubelet.conf tells a kubelet that runs nothing new.
    const isNews = inputs.kubeconfig !== undefined && !refersTo(inputs.kubeconfig, own);
    return runningKubeletFindings(config, { host, layout, readAtStart: isNews ? [kubeletKubeconfig] : [] });
  },
  verifyOutputs: ({ config, outputs }) => kubeletFileFindings(config, outputs, layoutOf(config)),
  run: ({ ports: { host }, progress }) => startKubelet(host, progress),
  demands: (config) => kubeletFileDemands(config),
  conditions: () => runningKubeletDemands,
});
