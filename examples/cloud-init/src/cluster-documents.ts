import { parseDocuments, stringifyYaml } from '@groundplane/manifest';

export type KubernetesDocument = Readonly<Record<string, unknown>>;

/** The documents of a configuration file, and those of them that this program looks into. */
export interface ClusterDocuments {
  readonly init: KubernetesDocument;
  /** What a worker is told beside the way to its cluster. */
  readonly join: KubernetesDocument;
  /** All others, as they are. */
  readonly others: readonly KubernetesDocument[];
}

const apiVersion = 'kubeadm.k8s.io/v1beta4';

/** @throws Error if the text is no YAML */
export function clusterDocuments(text: string): ClusterDocuments {
  const documents = parseDocuments(text).map(({ value }) => value as KubernetesDocument);
  const ofKind = (kind: string) => documents.find((document) => document.kind === kind) ?? { apiVersion, kind };
  const isLookedInto = ({ kind }: KubernetesDocument) => kind === 'InitConfiguration' || kind === 'JoinConfiguration';
  return {
    init: ofKind('InitConfiguration'),
    join: ofKind('JoinConfiguration'),
    others: documents.filter((document) => !isLookedInto(document)),
  };
}

export function textOf(documents: readonly KubernetesDocument[]): string {
  return documents.map(stringifyYaml).join('---\n');
}
