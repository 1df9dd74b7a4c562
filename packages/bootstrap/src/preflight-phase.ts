import { preflightConfiguration } from '@groundplane/config';
import { controlPlaneComponents } from '@groundplane/controlplane';
import { type Finding, hasErrors } from '@groundplane/errors';
import { imagePullChecks, initPreflightChecks, type PreflightCheck } from '@groundplane/kubelet';
import { type AnyPhase, contract, optional, type Runtime } from '@groundplane/phases';
import {
  certificateArtifactsOf,
  etcdDataDirectory,
  kubeconfigArtifact,
  kubeletConfigFile,
  staticPods,
} from './artifacts.ts';
import { checkDemands } from './check-demands.ts';
import { missingImageFindings, pullImages, pullsEveryTime } from './control-plane-images.ts';
import { type Membership, withMembershipHints } from './first-run-hints.ts';
import { withManifestHints } from './foreign-manifest-hints.ts';
import type { InitContext } from './init-context.ts';
import {
  afterTheirTurn,
  checkMachine,
  foreseenChecks,
  ignoring,
  type MachineChecks,
  stopForErrors,
  surveyedChecks,
  unknownCheckNames,
} from './machine-checks.ts';
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
  conditions: (config) =>
    checkDemands([...initPreflightChecks, ...imagePullChecks], preflightConfiguration(config), {
      ignored: config.ignorePreflightErrors,
    }),
  async verify({ config, inputs, ports }) {
    const findings = await check(initPreflightChecks, config, { present: inputs, ports });
    if (hasErrors(findings)) return findings;
    return [...findings, ...(await missingImageFindings(config, ports.runtime))];
  },
  async survey({ config, inputs, ports }) {
    const survey = await surveyedChecks({ host: ports.host, phase: 'preflight' }, (ignored) =>
      check(initPreflightChecks, ignoring(config, ignored), { present: inputs, ports }),
    );
    if (inputs.kubeletConfig !== undefined) return afterTheirTurn(survey);
    const { findings, unseen } = survey;
    // A runtime that does not answer this user tells of no image either.
    if (hasErrors(findings) || unseen.some(({ location }) => location === 'CRI')) return { findings, unseen };
    return { findings: [...findings, ...(await missingImageFindings(config, ports.runtime))], unseen };
  },
  async foresee({ config, inputs, ports }) {
    const findings = await foreseenChecks(ports.host, (ignored) =>
      check(initPreflightChecks, ignoring(config, ignored), { present: inputs, ports }),
    );
    const known = [...unknownCheckNames(config), ...findings];
    if (hasErrors(known)) return { findings: known };
    const images = await imagesToPull(config, ports.runtime);
    return { findings: known, ...(images === '' ? {} : { reason: images }) };
  },
  async run({ config, inputs, ports, progress, finding }) {
    for (const warning of unknownCheckNames(config)) finding(warning);
    for (const { checks, failure } of batches) {
      const findings = await check(checks, config, { present: inputs, ports, etcdAttempts: 4, progress });
      stopForErrors(findings, { failure, finding });
    }
  },
});

/** What a run would pull, as far as the runtime tells; empty if nothing. */
async function imagesToPull(config: InitContext, runtime: Runtime): Promise<string> {
  if (pullsEveryTime(config)) return 'pulls the images of the control plane, as imagePullPolicy says';
  try {
    const missing = await missingImageFindings(config, runtime);
    return missing.length === 0 ? '' : `pulls the images that are not there: ${missing.length}`;
  } catch {
    return 'pulls the images that are not there, which only the container runtime knows';
  }
}

/** Nothing is pulled for a machine that cannot be used. */
const batches = [
  { checks: initPreflightChecks, failure: 'of its pre-flight checks failed' },
  { checks: imagePullChecks, failure: 'images could not be pulled' },
] as const;

interface Surroundings {
  readonly present: PresentArtifacts;
  readonly ports: MachineChecks['ports'];
  /** To decide whether there is something to do one answer is enough; kubeadm asks four times before it gives up. */
  readonly etcdAttempts?: number;
  readonly progress?: (message: string) => void;
}

async function check(
  checks: readonly PreflightCheck[],
  config: InitContext,
  { present, ports, etcdAttempts = 1, progress = () => undefined }: Surroundings,
): Promise<readonly Finding[]> {
  const configuration = preflightConfiguration(config);
  const { active: kubeletIsActive } = await ports.host.services.status('kubelet');
  const findings = await checkMachine(config, {
    checks,
    configuration,
    satisfied: satisfiedChecks(config, present, { kubeletIsActive }),
    ports,
    etcdAttempts,
    // Files of external etcd are not ours to manage.
    isArtifact: (path) => path.startsWith(`${configuration.manifestsDir}/`),
    pullImages: () => pullImages(config, ports.runtime, progress),
  });
  return withManifestHints(withMembershipHints(findings, membershipOf(present)), config, present);
}

/** What the machine is already; the CA alone may be put there beforehand. */
function membershipOf(present: PresentArtifacts): Membership | undefined {
  if (controlPlaneComponents.some((component) => present[component] !== undefined)) return 'control-plane';
  if (present.kubeletKubeconfig === undefined) return undefined;
  return present.authorityKey === undefined ? 'worker' : 'control-plane';
}
