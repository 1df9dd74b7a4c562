import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseLibraries } from '../src/debian-programs.ts';
import { imagesFor } from '../src/image-table.ts';
import { imageDocuments } from '../src/oci-layout.ts';

const layer = { digest: `sha256:${'a'.repeat(64)}`, size: 10 };

describe('imageDocuments', () => {
  const { config, manifest, index } = imageDocuments('registry.k8s.io/pause:3.10.2', layer, ['/pause']);

  it('names the image for the import', () => {
    const [entry] = JSON.parse(index).manifests;
    expect(entry.annotations['io.containerd.image.name']).toBe('registry.k8s.io/pause:3.10.2');
    expect(entry.annotations['org.opencontainers.image.ref.name']).toBe('3.10.2');
    expect(entry.digest).toBe(manifest.descriptor.digest);
  });

  it('points from index to manifest to config and layer', () => {
    const document = JSON.parse(manifest.content);
    expect(document.config).toEqual(config.descriptor);
    expect(document.layers).toEqual([{ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...layer }]);
    expect(JSON.parse(config.content).rootfs.diff_ids).toEqual([layer.digest]);
    expect(JSON.parse(config.content).config.Entrypoint).toEqual(['/pause']);
  });

  it('gives digests and sizes of the very bytes', () => {
    for (const { content, descriptor } of [config, manifest]) {
      expect(descriptor.digest).toBe(`sha256:${createHash('sha256').update(content).digest('hex')}`);
      expect(descriptor.size).toBe(Buffer.byteLength(content));
    }
  });
});

describe('imagesFor', () => {
  it('has the names that kubeadm 1.37.2 expects', () => {
    expect(imagesFor('1.37.2').map((image) => image.name)).toEqual([
      'registry.k8s.io/kube-apiserver:v1.37.2',
      'registry.k8s.io/kube-controller-manager:v1.37.2',
      'registry.k8s.io/kube-scheduler:v1.37.2',
      'registry.k8s.io/kube-proxy:v1.37.2',
      'registry.k8s.io/etcd:3.7.0-0',
      'registry.k8s.io/coredns/coredns:v1.14.6',
      'registry.k8s.io/pause:3.10.2',
    ]);
  });

  it('says so when it does not know a minor', () => {
    expect(() => imagesFor('1.12.0')).toThrow(/minor 1.12 is not in the image table/);
  });
});

describe('parseLibraries', () => {
  it('takes the paths out of what ldd prints', () => {
    const listed = [
      '\tlinux-vdso.so.1 (0x00007ffd)',
      '\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f3c)',
      '\t/lib64/ld-linux-x86-64.so.2 (0x00007f3d)',
    ].join('\n');
    expect(parseLibraries(listed)).toEqual(['/lib/x86_64-linux-gnu/libc.so.6', '/lib64/ld-linux-x86-64.so.2']);
  });
});
