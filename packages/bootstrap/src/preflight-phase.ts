import { preflightConfiguration } from '@groundplane/config';
import { errorsOf, type Finding, hasErrors } from '@groundplane/errors';
import {
  imagePullChecks,
  initPreflightChecks,
  type PreflightCheck,
  preflightCatalogRow,
  requiredFacts,
  runPreflight,
} from '@groundplane/kubelet';
import { type AnyPhase, type Clock, contract, type Host, optional, type Runtime } from '@groundplane/phases';
import {
  certificateArtifactsOf,
  etcdDataDirectory,
  kubeconfigArtifact,
  kubeletConfigFile,
  staticPods,
} from './artifacts.ts';
import { missingImageFindings, pullImages, pullsEveryTime } from './control-plane-images.ts';
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
  uses: ['host', 'runtime', 'clock'],
  verifyOnlyAtTurn: true,
  everyTime: pullsEveryTime,
  async verify({ config, inputs, ports }) {
    const findings = await check(initPreflightChecks, config, { present: inputs, ports, etcdAttempts: 1 });
    if (hasErrors(findings)) return findings;
    return [...findings, ...(await missingImageFindings(config, ports.runtime))];
  },
  async run({ config, inputs, ports, progress, finding }) {
    for (const warning of unknownNames(config)) finding(warning);
    for (const { checks, failure } of batches) {
      const findings = await check(checks, config, { present: inputs, ports, etcdAttempts: 4, progress });
      for (const warning of findings.filter(({ severity }) => severity === 'warning')) finding(warning);
      const errors = errorsOf(findings);
      if (errors.length === 0) continue;
      throw bootstrapError('BOOTSTRAP_PREFLIGHT_FAILED', `Cannot use this machine as ${errors.length} ${failure}`, {
        findings: errors,
        hint: 'If you know what you are doing, you can make a check non-fatal with --ignore-preflight-errors=NAME',
      });
    }
  },
});

/** Nothing is pulled for a machine that cannot be used. */
const batches = [
  { checks: initPreflightChecks, failure: 'of its pre-flight checks failed' },
  { checks: imagePullChecks, failure: 'images could not be pulled' },
] as const;

interface Surroundings {
  readonly present: PresentArtifacts;
  readonly ports: { readonly host: Host; readonly runtime: Runtime; readonly clock: Clock };
  /** To decide whether there is something to do one answer is enough; kubeadm asks four times before it gives up. */
  readonly etcdAttempts: number;
  readonly progress?: (message: string) => void;
}

async function check(
  checks: readonly PreflightCheck[],
  config: InitContext,
  { present, ports: { host, runtime, clock }, etcdAttempts, progress = () => undefined }: Surroundings,
): Promise<readonly Finding[]> {
  const configuration = preflightConfiguration(config);
  const { active: kubeletIsActive } = await host.services.status('kubelet');
  const options = {
    ignore: config.ignorePreflightErrors,
    satisfied: satisfiedChecks(config, present, { kubeletIsActive }),
  };
  const facts = await gatherPreflightFacts(requiredFacts(checks, configuration, options), {
    host,
    runtime,
    clock,
    etcdAttempts,
    // Files of external etcd are not ours to manage; the machine is asked for them like for any fact.
    exists: async (path) =>
      path.startsWith(`${configuration.manifestsDir}/`)
        ? (await host.files.status(path)) !== undefined
        : (await host.facts.kernelFile(path)) !== undefined,
    list: (path) => host.files.list(path),
    pullImages: () => pullImages(config, runtime, progress),
  });
  return runPreflight(checks, configuration, facts, options);
}

/** A name that no check has ignores nothing, which is mostly a typing mistake. */
function unknownNames({ ignorePreflightErrors }: InitContext): readonly Finding[] {
  return ignorePreflightErrors
    .filter((name) => name !== 'all' && preflightCatalogRow(name) === undefined)
    .map((name) => ({
      code: 'PREFLIGHT_NAME_UNKNOWN',
      severity: 'warning',
      artifact: 'ignore-preflight-errors',
      message: `no pre-flight check is called ${JSON.stringify(name)}, so nothing is ignored by that name`,
    }));
}
