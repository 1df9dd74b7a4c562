import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { parseKubeletConfig } from '@groundplane/kubelet';
import type { Host } from '@groundplane/phases';
import { firstCertificate } from '@groundplane/pki';
import { certificatesDirOf, type NodeArtifacts } from './configuration-by-manifests.ts';
import { podOf, silently } from './node-facts.ts';
import { readText } from './read-text.ts';
import { usualLayout } from './usual-layout.ts';

export interface ReadNode {
  readonly artifacts: NodeArtifacts;
  /** Text of the kubelet's configuration, if it is one. */
  readonly kubeletText?: string | undefined;
  /** What is there, or may be, and cannot be read, with the reason: it would tell what else has to be assumed. */
  readonly hidden: readonly { readonly path: string; readonly reason: string }[];
  /** Whether the CA that kubeconfigs on the node trust is in the usual folder, or something of a PKI where no kubeconfig names one. */
  readonly isUsualPki: boolean;
  /** Whether there is a CA for an etcd of this node, where the others are or in the usual folder. */
  readonly hasEtcdAuthority: boolean;
}

const { kubernetes, kubelet, pki } = usualLayout;
const manifest = (component: string) => `${kubernetes}/manifests/${component}.yaml`;

/**
 * Reads all that tells the configuration of a control-plane node. What is not there or is broken says nothing; what cannot be read is
 * named, as it is not the same.
 */
export async function readNode(host: Host): Promise<ReadNode> {
  const hidden: { path: string; reason: string }[] = [];
  const read = async (path: string): Promise<string | undefined> => {
    try {
      return await readText(host, path);
    } catch (thrown) {
      if (thrown instanceof TypeError) throw thrown;
      hidden.push({ path, reason: thrown instanceof Error ? thrown.message : String(thrown) });
      return undefined;
    }
  };
  const parsed = async <T>(path: string, parse: (text: string) => T | undefined): Promise<T | undefined> => {
    const text = await read(path);
    return text === undefined ? undefined : silently(async () => parse(text));
  };
  const pod = (component: string) => parsed(manifest(component), podOf);
  const context = (name: string) => parsed(`${kubernetes}/${name}`, (text) => currentContextOf(parseKubeconfig(text)));
  const kubeletFile = `${kubelet}/config.yaml`;
  const [apiserver, controllerManager, scheduler, etcd, admin, superAdmin, local, locally, own, kubeletFound] =
    await Promise.all([
      pod('kube-apiserver'),
      pod('kube-controller-manager'),
      pod('kube-scheduler'),
      pod('etcd'),
      context('admin.conf'),
      context('super-admin.conf'),
      context('controller-manager.conf'),
      context('scheduler.conf'),
      context('kubelet.conf'),
      parsed(kubeletFile, (text) => ({ text, document: { ...parseKubeletConfig(text, kubeletFile) } })),
    ]);
  const contexts = [admin, superAdmin, local, locally, own];
  const authority = contexts.map((one) => one?.certificateAuthority).find((pem) => pem !== undefined);
  const artifacts: NodeArtifacts = {
    apiserver,
    controllerManager,
    scheduler,
    etcd,
    kubelet: kubeletFound?.document,
    admin: admin ?? superAdmin,
    local: local ?? locally,
  };
  const usual = await silently(() => readText(host, `${pki}/ca.crt`));
  const found = await Promise.all(pkiFiles.map((name) => isThere(host, `${pki}/${name}`)));
  const isUsualPki = authority !== undefined && usual !== undefined ? isSame(usual, authority) : found.includes(true);
  return {
    artifacts,
    kubeletText: kubeletFound?.text,
    hidden,
    // Who may not read what would tell better does not know whose folder it is.
    isUsualPki: isUsualPki && (hidden.length === 0 || (authority !== undefined && usual !== undefined)),
    hasEtcdAuthority: await isThere(host, `${certificatesDirOf(artifacts) ?? pki}/etcd/ca.crt`),
  };
}

/** What a PKI has from the start. */
const pkiFiles = ['ca.crt', 'ca.key', 'apiserver.crt', 'sa.key', 'front-proxy-ca.crt', 'etcd/ca.crt'];

async function isThere({ files }: Host, path: string): Promise<boolean> {
  return (await silently(() => files.status(path))) !== undefined;
}

/** kubeadm embeds the first certificate of the file. */
function isSame(file: string, embedded: string): boolean {
  const first = (pem: string) => {
    try {
      return firstCertificate(pem).trim();
    } catch {
      return undefined;
    }
  };
  const one = first(file);
  return one !== undefined && one === first(embedded);
}
