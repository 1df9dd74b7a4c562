import { preflightConfiguration } from '@groundplane/config';
import { controlPlaneComponents } from '@groundplane/controlplane';
import type { Finding } from '@groundplane/errors';
import { stringifyYaml, unifiedDiff } from '@groundplane/manifest';
import { mayStillSign } from './control-plane-facts.ts';
import type { InitContext } from './init-context.ts';
import { patchedStaticPod } from './patched-documents.ts';
import { checksOfStaticPod, type PresentArtifacts } from './satisfied-checks.ts';
import { staticPodPhaseNames } from './static-pod-phases.ts';

/** How many differing lines are named. */
const namedLines = 3;

/**
 * Where a manifest is in the way of the first run that is not the one that we would write: in what it differs, and how to go on with it as it is,
 * for who has made it with another tool.
 */
export function withManifestHints(
  findings: readonly Finding[],
  config: InitContext,
  present: PresentArtifacts,
): readonly Finding[] {
  const configuration = preflightConfiguration(config);
  const hints = new Map<string, string>();
  for (const component of controlPlaneComponents) {
    const existing = present[component];
    if (existing === undefined) continue;
    const own = patchedStaticPod(component, config, mayStillSign(present));
    const [ofFile, ...others] = checksOfStaticPod(component, configuration);
    const failed = [ofFile, ...others].filter((name) => findings.some(({ artifact }) => artifact === name));
    const keep = `--skip-phases ${staticPodPhaseNames[component]} --ignore-preflight-errors ${failed.join(',')}`;
    const difference = differingLines(stringifyYaml(existing), stringifyYaml(own));
    hints.set(ofFile, `It is not the one that this configuration makes: ${difference}. To keep it: ${keep}`);
  }
  return findings.map((finding) => {
    const hint = hints.get(finding.artifact);
    return hint === undefined
      ? finding
      : { ...finding, hint: finding.hint === undefined ? hint : `${hint}. ${finding.hint}` };
  });
}

/** `it has "--audit-log-path", it lacks "image"`: flags and fields by their names alone, as a value of somebody else may be a secret. */
function differingLines(existing: string, own: string): string {
  const lines = unifiedDiff(own, existing, 'manifest')
    .split('\n')
    .filter((line) => /^[+-](?![+-]{2} )/.test(line));
  const named = lines.slice(0, namedLines).map((line) => {
    const name = /^[+-]\s*(?:- )*(--[a-z0-9-]+|[A-Za-z]+(?=:(?: |$)))/.exec(line)?.[1];
    return `it ${line.startsWith('+') ? 'has' : 'lacks'} ${name === undefined ? 'a line' : `"${name}"`}`;
  });
  const more = lines.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more lines`] : [])].join(', ');
}
