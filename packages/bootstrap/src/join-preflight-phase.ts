import { joinPreflightConfiguration } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import { joinPreflightChecks } from '@groundplane/kubelet';
import { type AnyPhase, contract, optional, type Values } from '@groundplane/phases';
import { kubeletConfigFile } from './artifacts.ts';
import { checkDemands } from './check-demands.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { filePathOf } from './file-path-of.ts';
import { withMembershipHints } from './first-run-hints.ts';
import { bootstrapKubeconfig, joinedAuthority, joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf } from './join-context.ts';
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
import { satisfiedJoinChecks } from './satisfied-join-checks.ts';

const reads = {
  kubeconfig: optional(joinedKubeconfig),
  certificate: optional(kubeletClientCertificate),
  bootstrap: optional(bootstrapKubeconfig),
  authority: optional(joinedAuthority),
  kubeletConfig: optional(kubeletConfigFile),
};

/**
 * Checks the machine before anything is written (kubeadm: cmd/phases/join/preflight.go). What a run before this one has made for the
 * same cluster is no obstacle.
 */
export const joinPreflightPhase: AnyPhase<JoinContext> = contract<JoinContext>().defineEffect({
  name: 'preflight',
  summary: 'Run join pre-flight checks',
  configuration: ['nodeRegistration', 'discovery', 'caCertPath'],
  reads,
  uses: ['host', 'runtime', 'clock'],
  verifyOnlyAtTurn: true,
  conditions(config) {
    const layout = joinLayoutOf(config);
    const kubeconfigs = [joinedKubeconfig, bootstrapKubeconfig].map((artifact) => filePathOf(artifact, layout));
    return checkDemands(joinPreflightChecks, joinPreflightConfiguration(config, { kubeconfigs }), {
      ignored: config.ignorePreflightErrors,
    });
  },
  verify: ({ config, inputs, ports, now }) => check(config, { present: inputs, ports, now }),
  async survey({ config, inputs, ports, now }) {
    const survey = await surveyedChecks({ host: ports.host, phase: 'preflight' }, (ignored) =>
      check(ignoring(config, ignored), { present: inputs, ports, now }),
    );
    return inputs.kubeletConfig === undefined ? survey : afterTheirTurn(survey);
  },
  async foresee({ config, inputs, ports, now }) {
    const findings = await foreseenChecks(ports.host, (ignored) =>
      check(ignoring(config, ignored), { present: inputs, ports, now }),
    );
    return { findings: [...unknownCheckNames(config), ...findings] };
  },
  async run({ config, inputs, ports, now, finding }) {
    for (const warning of unknownCheckNames(config)) finding(warning);
    const findings = await check(config, { present: inputs, ports, now });
    stopForErrors(findings, { failure: 'of its pre-flight checks failed', finding });
  },
});

interface Surroundings {
  readonly present: Values<typeof reads>;
  readonly ports: MachineChecks['ports'];
  readonly now: Date;
}

async function check(config: JoinContext, { present, ports, now }: Surroundings): Promise<readonly Finding[]> {
  const layout = joinLayoutOf(config);
  const [kubeconfig, bootstrap, authority] = [joinedKubeconfig, bootstrapKubeconfig, joinedAuthority].map((artifact) =>
    filePathOf(artifact, layout),
  );
  const paths = { kubeconfig: kubeconfig ?? '', bootstrap: bootstrap ?? '', authority: authority ?? '' };
  const findings = await checkMachine(config, {
    checks: joinPreflightChecks,
    configuration: joinPreflightConfiguration(config, { kubeconfigs: [paths.kubeconfig, paths.bootstrap] }),
    satisfied: await satisfiedJoinChecks(config, { present, paths, host: ports.host, now }),
    ports,
    isArtifact: (path) => Object.values(paths).includes(path),
  });
  return withMembershipHints(findings, present.kubeconfig === undefined ? undefined : 'worker');
}
