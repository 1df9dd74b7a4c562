import { type Finding, hasErrors } from '@groundplane/errors';
import { type PreflightConfiguration, rootChecks, runPreflight } from '@groundplane/kubelet';
import { type AnyPhase, contract, type Host } from '@groundplane/phases';
import { checkDemands } from './check-demands.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { foreseenChecks, surveyedChecks } from './machine-checks.ts';
import type { ResetContext } from './reset-context.ts';

/** The check for root looks at nothing of a configuration, and reset has none of this kind. */
const noConfiguration = {} as PreflightConfiguration;
const confirmHint = 'Answer the question with y, or give --force';

/** Asks for the user's word and for root (kubeadm: cmd/phases/reset/preflight.go). The question itself is the caller's. */
export const resetPreflightPhase: AnyPhase<ResetContext> = contract<ResetContext>().defineEffect({
  name: 'preflight',
  summary: 'Run pre-flight checks for the reset',
  configuration: ['force', 'ignorePreflightErrors'],
  uses: ['host'],
  verifyOnlyAtTurn: true,
  conditions: ({ reset }) => [
    ...checkDemands(rootChecks, noConfiguration, { ignored: reset.ignorePreflightErrors }),
    { text: 'Somebody agreed to it', code: 'BOOTSTRAP_RESET_UNCONFIRMED', severity: 'error' },
  ],
  verify: ({ config, ports: { host } }) => [...privilege(config, host), ...consent(config)],
  async survey({ config, ports: { host } }) {
    const { findings, unseen } = await surveyedChecks({ host, phase: 'preflight' }, async (ignored) =>
      privilege(ignoring(config, ignored), host),
    );
    return { findings: [...findings, ...consent(config)], unseen };
  },
  // The question is asked of whoever runs it.
  foresee: async ({ config, ports: { host } }) => ({
    findings: await foreseenChecks(host, async (ignored) => privilege(ignoring(config, ignored), host)),
  }),
  async run({ config, ports: { host }, finding }) {
    if (!config.confirmed)
      throw bootstrapError('BOOTSTRAP_RESET_UNCONFIRMED', 'Cannot reset this node as nobody agreed to it', {
        hint: confirmHint,
      });
    const findings = privilege(config, host);
    if (hasErrors(findings))
      throw bootstrapError('BOOTSTRAP_PREFLIGHT_FAILED', 'Cannot reset this node as pre-flight checks failed', {
        findings,
      });
    for (const warning of findings) finding(warning);
  },
});

interface PrivilegeContext {
  readonly reset: Pick<ResetContext['reset'], 'ignorePreflightErrors'>;
}

function ignoring({ reset }: PrivilegeContext, names: readonly string[]): PrivilegeContext {
  return { reset: { ignorePreflightErrors: [...reset.ignorePreflightErrors, ...names] } };
}

function consent({ confirmed }: Pick<ResetContext, 'confirmed'>): readonly Finding[] {
  if (confirmed) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_RESET_UNCONFIRMED',
      severity: 'error',
      artifact: 'confirmation',
      message: 'nobody agreed to it yet',
      hint: confirmHint,
    }),
  ];
}

function privilege({ reset }: PrivilegeContext, { facts }: Host): readonly Finding[] {
  return runPreflight(rootChecks, noConfiguration, { uid: facts.uid() }, { ignore: reset.ignorePreflightErrors });
}
