import { errorFactory } from '@groundplane/errors';

/** The error codes of this package. */
export const manifestErrorCodes = {
  MANIFEST_SEPARATOR_INVALID: {
    kind: 'usage',
    description: 'A line that starts with three dashes carries something else than blanks and a comment',
  },
  MANIFEST_YAML_INVALID: { kind: 'usage', description: 'A document is not YAML as Kubernetes reads it' },
  MANIFEST_JSON_INVALID: { kind: 'usage', description: 'A document that starts with { is not JSON' },
  MANIFEST_ENCODING_INVALID: {
    kind: 'usage',
    description: 'A text is neither UTF-8 nor UTF-16 with a byte order mark',
  },
  MANIFEST_TOO_LARGE: { kind: 'usage', description: 'A file is larger than any document of Kubernetes can be' },
  MANIFEST_DUPLICATE_KEY: {
    kind: 'usage',
    description: 'A mapping holds one key twice and strict reading was asked for',
  },
} as const;

export const manifestError = errorFactory(manifestErrorCodes);
