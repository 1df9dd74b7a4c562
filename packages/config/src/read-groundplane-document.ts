import { errorsOf, type Finding } from '@groundplane/errors';
import { decodeDocument } from './decode-document.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import {
  type GroundplaneConfiguration,
  groundplaneConfigurationSchema,
  validateGroundplaneConfiguration,
} from './groundplane-configuration.ts';
import type { TakenPlace } from './journal-place.ts';
import {
  type Documents,
  groundplaneApiVersion,
  groundplaneKind,
  requireSupported,
  splitConfiguration,
} from './read-documents.ts';
import { unusedFields } from './strict-decoding.ts';

/** Our own document of a file, as far as it can be read. */
export interface ReadGroundplaneDocument {
  /** Absent if the file holds none. */
  readonly groundplane?: GroundplaneConfiguration;
  /** Errors for values that cannot be used and, unlike for kubeadm's documents, for fields that do not exist. */
  readonly findings: readonly Finding[];
}

export interface ReadGroundplaneOptions {
  /** Places that the rest of the configuration takes, where the journal cannot be. @default none */
  readonly places?: readonly TakenPlace[];
  /** False for what a cluster keeps, which a newer release may have written: a field that does not exist is a warning then. @default true */
  readonly strict?: boolean;
}

/**
 * Reads the GroundplaneConfiguration among the documents of a file. A field that does not exist is an error for every command: no
 * other program writes such documents, so that it can only be a mistake.
 *
 * @throws GroundplaneError CONFIG_API_VERSION_UNSUPPORTED for another version or kind of groundplane.dev
 */
export function readGroundplaneDocument(
  documents: Documents,
  { strict = true, places = [] }: ReadGroundplaneOptions = {},
): ReadGroundplaneDocument {
  const ours = [...documents.values()].filter(({ usedBy }) => usedBy === 'groundplane');
  for (const document of ours) requireSupported(document);
  const [document] = ours;
  if (document === undefined) return { findings: [] };
  const { value, problems, unknownFields } = decodeDocument(groundplaneConfigurationSchema, document.value);
  const wrong = problems.length > 0 ? problems : validateGroundplaneConfiguration(value, places);
  return {
    groundplane: value,
    findings: [...unusedFields(document, unknownFields, strict), ...wrong.map(problemFinding)],
  };
}

/**
 * Reads the GroundplaneConfiguration of a text: of a file with other documents beside it, or of the ConfigMap
 * kube-system/groundplane-config.
 *
 * @returns undefined if the text holds none
 * @throws GroundplaneError CONFIG_UNREADABLE, CONFIG_API_VERSION_UNSUPPORTED; CONFIG_INVALID with all problems as findings, whose
 *   artifacts are field paths
 */
export function readGroundplaneConfiguration(
  text: string,
  options: ReadGroundplaneOptions = {},
): GroundplaneConfiguration | undefined {
  return groundplaneOf(splitConfiguration(text), options);
}

/**
 * The same of documents that are read already.
 *
 * @throws GroundplaneError CONFIG_API_VERSION_UNSUPPORTED, CONFIG_INVALID
 */
export function groundplaneOf(
  documents: Documents,
  options: ReadGroundplaneOptions = {},
): GroundplaneConfiguration | undefined {
  const { groundplane, findings } = readGroundplaneDocument(documents, options);
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration(`the ${groundplaneKind}`, errors, [groundplaneApiVersion]);
  return groundplane;
}
