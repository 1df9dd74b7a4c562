import { errorFactory } from '@groundplane/errors';

/** Why a configuration cannot be used. */
export const errorCodes = {
  CONFIG_UNREADABLE: {
    kind: 'usage',
    description: 'The text is no YAML or JSON, or a document lacks apiVersion or kind',
  },
  CONFIG_DOCUMENT_MISSING: {
    kind: 'usage',
    description: 'The file holds neither an InitConfiguration nor a ClusterConfiguration',
  },
  CONFIG_API_VERSION_UNSUPPORTED: {
    kind: 'usage',
    description: 'A document uses an API version that is not supported',
  },
  CONFIG_KIND_UNKNOWN: {
    kind: 'usage',
    description: 'A document has an API version and kind that nothing here reads',
  },
  CONFIG_COMPONENT_UNKNOWN: {
    kind: 'usage',
    description: 'There is no component configuration of this kind to print',
  },
  CONFIG_INVALID: {
    kind: 'usage',
    description: 'One or more fields hold values that cannot be used; see the findings',
  },
  CONFIG_MIXED_ARGUMENTS: { kind: 'usage', description: 'Flags were given that --config does not allow beside it' },
  CONFIG_UNRESOLVED: {
    kind: 'usage',
    description: 'A value is not given and cannot be detected on this host, or there is more than one candidate',
  },
} as const;

export const configError = errorFactory(errorCodes);
