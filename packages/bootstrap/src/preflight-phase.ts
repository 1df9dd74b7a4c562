import { preflightConfiguration } from '@groundplane/config';
import { errorsOf, type Finding, hasErrors } from '@groundplane/errors';
import { initPreflightChecks, requiredFacts, runPreflight } from '@groundplane/kubelet';
import { type AnyPhase, contract, type Host, optional, type Runtime } from '@groundplane/phases';
import {
  certificateArtifactsOf,
  etcdDataDirectory,
  kubeconfigArtifact,
  kubeletConfigFile,
  staticPods,
} from './artifacts.ts';
import { imagesToPull, missingImageFinding, pullImages } from './control-plane-images.ts';
import { bootstrapError } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { gatherPreflightFacts } from './preflight-facts.ts';
import { type PresentArtifacts, satisfiedChecks } from './satisfied-checks.ts';

const authority = certificateArtifactsOf('ca');

/**
 * Checks the machine before anything is written, and brings the images (kubeadm: preflight). What is ours already, because a run
 * before this one made it, is no obstacle: the rows that ask for its absence are left out.
 */
export const preflightPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'preflight',
  summary: 'Run pre-flight checks',
  configuration: ['nodeRegistration', 'localAPIEndpoint', 'networking', 'kubernetesVersion', 'etcd'],
  reads: {
    authority: optional(authority.certificate),
    authorityKey: optional(authority.key),
    etcd: optional(staticPods.etcd),
    'kube-apiserver': optional(staticPods['kube-apiserver']),
    'kube-controller-manager': optional(staticPods['kube-controller-manager']),
    'kube-scheduler': optional(staticPods['kube-scheduler']),
    dataDirectory: optional(etcdDataDirectory),
    kubeletConfig: optional(kubeletConfigFile),
    kubeletKubeconfig: optional(kubeconfigArtifact('kubelet.conf')),
  },
  uses: ['host', 'runtime'],
  verifyOnlyAtTurn: true,
  // The runtime decides each time whether the registry has something newer.
  everyTime: ({ init }) => init.nodeRegistration.imagePullPolicy === 'Always',
  async verify({ config, inputs, ports: { host, runtime } }) {
    const findings = await check(config, inputs, host, runtime);
    if (hasErrors(findings)) return findings;
    const missing = await imagesToPull(config, runtime);
    return [...findings, ...missing.map((image) => missingImageFinding(image, config))];
  },
  async run({ config, inputs, ports: { host, runtime }, progress, finding }) {
    const findings = await check(config, inputs, host, runtime);
    for (const warning of findings.filter(({ severity }) => severity === 'warning')) finding(warning);
    const errors = errorsOf(findings);
    if (errors.length > 0) {
      throw bootstrapError(
        'BOOTSTRAP_PREFLIGHT_FAILED',
        `Cannot use this machine as ${errors.length} of its pre-flight checks failed`,
        {
          findings: errors,
          hint: 'If you know what you are doing, you can make a check non-fatal with --ignore-preflight-errors=NAME',
        },
      );
    }
    await pullImages(config, runtime, { progress, finding });
  },
});

async function check(
  config: InitContext,
  present: PresentArtifacts,
  host: Host,
  runtime: Runtime,
): Promise<readonly Finding[]> {
  const configuration = preflightConfiguration(config);
  const { active: kubeletIsActive } = await host.services.status('kubelet');
  const options = {
    ignore: config.ignorePreflightErrors,
    satisfied: satisfiedChecks(config, present, { kubeletIsActive }),
  };
  const facts = await gatherPreflightFacts(requiredFacts(initPreflightChecks, configuration, options), {
    host,
    runtime,
    // Files of external etcd are not ours to manage; the machine is asked for them like for any fact.
    exists: async (path) =>
      path.startsWith(`${configuration.manifestsDir}/`)
        ? (await host.files.status(path)) !== undefined
        : (await host.facts.kernelFile(path)) !== undefined,
    list: (path) => host.files.list(path),
  });
  return runPreflight(initPreflightChecks, configuration, facts, options);
}
