import type { ConfigurationSource } from '@groundplane/bootstrap';

const sources: Readonly<Record<ConfigurationSource | 'flags', string>> = {
  file: 'judged by the given configuration',
  flags: 'judged by the given flags',
  cluster: 'judged by the configuration that the cluster keeps',
  node: 'judged by what is on the node',
  defaults: 'judged by the defaults, as nothing tells its configuration',
};

/** What somebody goes by who looks at a node, for people. */
export function sourceText(source: ConfigurationSource | 'flags'): string {
  return sources[source];
}
