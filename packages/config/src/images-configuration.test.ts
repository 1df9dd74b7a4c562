import { describe, expect, it } from 'vitest';
import { clusterDocument, sampleHost } from '../test/sample-host.ts';
import { imagesConfiguration } from './images-configuration.ts';

const images = (text: string | undefined, flags = {}) => imagesConfiguration(text, { flags, host: sampleHost });

describe('imagesConfiguration', () => {
  it('reads flags', () => {
    const { cluster } = images(undefined, { 'kubernetes-version': '1.36.1', 'image-repository': 'example.com/k8s' });
    expect(cluster).toMatchObject({ kubernetesVersion: 'v1.36.1', imageRepository: 'example.com/k8s' });
  });

  it('lets a file win over flags', () => {
    const { cluster } = images(clusterDocument(), {
      'kubernetes-version': '1.36.1',
      'image-repository': 'example.com',
    });
    expect(cluster).toMatchObject({ kubernetesVersion: 'v1.37.2', imageRepository: 'registry.k8s.io' });
  });

  it.each([undefined, clusterDocument()])('refuses feature gates that are none, with a file or without', (text) => {
    expect(() => images(text, { 'feature-gates': 'Nothing=true' })).toThrow('unrecognized feature-gate key');
  });

  it('takes the newest known version for a label, with a warning', () => {
    const { cluster, warnings } = images(undefined, {});
    expect(cluster.kubernetesVersion).toBe('v1.37.2');
    expect(warnings).toMatchObject([{ code: 'CONFIG_VERSION_ASSUMED' }]);
  });

  it('takes the images of CI builds from their own repository', () => {
    const text = clusterDocument().replace('v1.37.2', 'ci/v1.38.0-alpha.1.5+abc');
    expect(images(text)).toMatchObject({
      cluster: { kubernetesVersion: 'v1.38.0-alpha.1.5+abc', imageRepository: 'registry.k8s.io' },
      kubernetesImageRepository: 'gcr.io/k8s-staging-ci-images',
    });
  });

  it('does not look at the host', () => {
    const host = { ...sampleHost, addresses: { ipv4: [], ipv6: [], loopback: [] } };
    const { cluster, warnings } = imagesConfiguration(clusterDocument(), { host });
    expect({ version: cluster.kubernetesVersion, warnings }).toEqual({ version: 'v1.37.2', warnings: [] });
  });

  it('finds the socket to pull with', () => {
    const host = { ...sampleHost, criSockets: ['unix:///var/run/crio/crio.sock'] };
    const socket = (options: { readonly detectCriSocket?: boolean }) =>
      imagesConfiguration(clusterDocument(), { host, ...options }).criSocket;
    expect(socket({ detectCriSocket: true })).toBe('unix:///var/run/crio/crio.sock');
    expect(socket({})).toBe('unix:///var/run/containerd/containerd.sock');
    expect(images(undefined, { 'cri-socket': 'unix:///a' }).criSocket).toBe('unix:///a');
  });
});
