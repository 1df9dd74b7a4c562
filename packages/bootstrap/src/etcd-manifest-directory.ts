import type { Files } from '@groundplane/phases';
import { staticPods } from './artifacts.ts';
import type { EtcdSources } from './etcd-reset.ts';

const dataVolume = 'etcd-data';

/**
 * The hostPath of the volume `etcd-data` in the static pod of etcd (kubeadm: cmd/phases/reset/removeetcdmember.go, getEtcdDataDir).
 *
 * @param path of the manifest
 * @returns with `unreadable` what reading the file threw
 */
export async function etcdManifestDirectory(
  files: Pick<Files, 'read'>,
  path: string,
): Promise<EtcdSources['manifest'] | { readonly unreadable: unknown }> {
  let content: Awaited<ReturnType<Files['read']>>;
  try {
    content = await files.read(path);
  } catch (thrown) {
    return { unreadable: thrown };
  }
  if (content === undefined) return 'absent';
  try {
    const { spec } = staticPods.etcd.format.parse(content.bytes);
    const volume = spec.volumes?.find(({ name }) => name === dataVolume);
    const dataDirectory = volume?.hostPath?.path;
    return dataDirectory?.startsWith('/') ? { dataDirectory } : 'unusable';
  } catch {
    return 'unusable';
  }
}
