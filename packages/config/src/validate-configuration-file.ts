import { type Finding, hasErrors, isGroundplaneError } from '@groundplane/errors';
import { type StepOptions, stepsFor } from './configuration-steps.ts';
import { configError } from './error-codes.ts';
import { type ConfigurationDocument, type Documents, isKnown, splitConfiguration } from './read-documents.ts';

export type ValidateOptions = Pick<StepOptions, 'host' | 'allowExperimentalApi' | 'missingFiles'>;

export interface ConfigurationVerdict {
  /** False if a finding is an error. */
  readonly valid: boolean;
  /** The artifact is the field path, or the document where the whole of it is meant. */
  readonly findings: readonly Finding[];
}

/** Stands for the tokens that nobody sees: a file that asks for random ones is as good as one that gives them. */
const anyToken = 'abcdef.0123456789abcdef';

/**
 * Holds a configuration file to everything that kubeadm holds it to (kubeadm, util/config/common.go, ValidateConfig).
 * Strict decoding fails, so that unknown and repeated fields are errors; API versions and kinds must be known.
 * Bad input makes findings, never an exception.
 */
export function validateConfigurationFile(text: string, options: ValidateOptions): ConfigurationVerdict {
  const findings: Finding[] = [];
  /** Runs a part whose failure must not keep the other parts from being looked at. */
  const attempt = <T>(part: () => T): T | undefined => {
    try {
      return part();
    } catch (thrown) {
      findings.push(...findingsOf(thrown));
      return undefined;
    }
  };
  const documents = attempt(() => knownDocuments(text));
  if (documents !== undefined) {
    const stepOptions = { ...options, randomToken: () => anyToken, detectCriSocket: false };
    for (const { run } of stepsFor(documents)) {
      findings.push(...(attempt(() => run(documents, stepOptions))?.warnings ?? []));
    }
  }
  return { valid: !hasErrors(findings), findings: withoutRepetition(findings) };
}

/** Our own document is looked at with each of the others, as commands read it, so that its mistakes are found as often. */
function withoutRepetition(findings: readonly Finding[]): readonly Finding[] {
  const told = new Set<string>();
  return findings.filter((finding) => {
    const key = JSON.stringify([finding.code, finding.artifact, finding.message]);
    return !told.has(key) && told.add(key);
  });
}

/**
 * The documents of a file, if all of them are of a known API version and kind.
 *
 * @throws CONFIG_UNREADABLE, CONFIG_KIND_UNKNOWN
 */
export function knownDocuments(text: string): Documents {
  const documents = splitConfiguration(text);
  const unknown = [...documents.values()].filter((document) => !isKnown(document)).map(nameOf);
  if (unknown.length === 0) return documents;
  throw configError(
    'CONFIG_KIND_UNKNOWN',
    `Cannot use the configuration file as it holds unknown configuration APIs: ${unknown.join('; ')}`,
    {
      hint: 'Known are the kinds of kubeadm.k8s.io/v1beta4, KubeletConfiguration, KubeProxyConfiguration and GroundplaneConfiguration',
    },
  );
}

function nameOf({ apiVersion, kind }: ConfigurationDocument): string {
  return `${apiVersion}, Kind=${kind}`;
}

/** What an error says, as findings; mistakes of our own are thrown on. */
function findingsOf(thrown: unknown): readonly Finding[] {
  if (!isGroundplaneError(thrown) || thrown.kind === 'internal') throw thrown;
  if (thrown.findings.length > 0) return thrown.findings;
  const { code, message, hint } = thrown;
  return [{ code, severity: 'error', artifact: 'configuration', message, ...(hint !== undefined && { hint }) }];
}
