import type { Problem } from './decode-document.ts';
import { parseGoBool } from './go-bool.ts';

/** kubeadm's feature gates of 1.37 (kubeadm, features/features.go). */
export const featureGates = {
  RootlessControlPlane: { default: false, stage: 'alpha' },
} as const;

export function isFeatureGate(name: string): boolean {
  return Object.hasOwn(featureGates, name);
}

/**
 * Parses the value of `--feature-gates`: pairs `name=bool` separated by commas; empty parts are skipped.
 *
 * @returns the gates, or the first problem
 */
export function parseFeatureGates(text: string): Readonly<Record<string, boolean>> | Problem {
  const gates: Record<string, boolean> = {};
  for (const pair of text.split(',').filter((part) => part !== '')) {
    const equals = pair.indexOf('=');
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    const enabled = parseGoBool(value);
    const reason =
      equals < 0
        ? 'each part must be of the form name=true or name=false'
        : !isFeatureGate(name)
          ? `an unrecognized feature-gate key is in it (known: ${Object.keys(featureGates).join(', ')})`
          : 'the value of a feature gate must be true or false';
    if (equals < 0 || !isFeatureGate(name) || enabled === undefined)
      return { path: 'featureGates', reason, value: pair };
    gates[name] = enabled;
  }
  return gates;
}

/** Whether {@link parseFeatureGates} gave a problem and no gates. */
export function isFeatureGateProblem(result: Readonly<Record<string, boolean>> | Problem): result is Problem {
  return typeof result.reason === 'string';
}
