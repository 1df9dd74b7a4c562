import { errorsOf } from '@groundplane/errors';
import { type PreflightConfiguration, rootChecks, runPreflight } from '@groundplane/kubelet';
import type { Host } from '@groundplane/phases';
import { bootstrapError } from './error-codes.ts';

export interface RootRequest {
  readonly command: string;
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
}

const commands: ReadonlySet<string> = new Set(['join', 'join phase preflight']);

/**
 * The first of the pre-flight checks, made before others are asked for anything: who is not root gets nowhere.
 *
 * @throws BOOTSTRAP_PREFLIGHT_FAILED
 */
export function requireRoot({ facts }: Host, request: RootRequest): void {
  const isSkipped = request.skipPhases.some((name) => name.toLowerCase() === 'preflight');
  if (!commands.has(request.command) || isSkipped) return;
  // What the check looks at is no matter of configuration.
  const findings = runPreflight(
    rootChecks,
    {} as PreflightConfiguration,
    { uid: facts.uid() },
    { ignore: request.ignorePreflightErrors },
  );
  const errors = errorsOf(findings);
  if (errors.length === 0) return;
  throw bootstrapError('BOOTSTRAP_PREFLIGHT_FAILED', 'Cannot use this machine as 1 of its pre-flight checks failed', {
    findings: errors,
    hint: 'If you know what you are doing, you can make a check non-fatal with --ignore-preflight-errors=NAME',
  });
}
