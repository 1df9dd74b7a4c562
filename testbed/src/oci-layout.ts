import { createHash } from 'node:crypto';

/** A blob's media type, digest (`sha256:…`) and size in bytes, as an OCI descriptor. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string; readonly os: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A JSON document of an OCI layout and the descriptor that points to it. */
export interface Blob {
  readonly descriptor: Descriptor;
  readonly content: string;
}

const platform = { architecture: process.arch === 'arm64' ? 'arm64' : 'amd64', os: 'linux' } as const;

export const layerMediaType = 'application/vnd.oci.image.layer.v1.tar';

function jsonBlob(mediaType: string, document: unknown): Blob {
  const content = JSON.stringify(document);
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { content, descriptor: { mediaType, digest, size: Buffer.byteLength(content) } };
}

/**
 * The three documents of an image with one layer: its config, its manifest, and
 * the `index.json` whose annotation gives the name under which it is imported.
 */
export function imageDocuments(
  name: string,
  layer: Pick<Descriptor, 'digest' | 'size'>,
  entrypoint: readonly string[],
): { readonly config: Blob; readonly manifest: Blob; readonly index: string } {
  const config = jsonBlob('application/vnd.oci.image.config.v1+json', {
    created: '1970-01-01T00:00:00Z',
    ...platform,
    config: {
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      ...(entrypoint.length > 0 ? { Entrypoint: entrypoint } : {}),
      WorkingDir: '/',
    },
    // The layer is not compressed, so its digest and the one of its content are the same.
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  });
  const manifest = jsonBlob('application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: config.descriptor,
    layers: [{ mediaType: layerMediaType, digest: layer.digest, size: layer.size }],
  });
  const entry: Descriptor = {
    ...manifest.descriptor,
    platform,
    annotations: {
      'io.containerd.image.name': name,
      'org.opencontainers.image.ref.name': name.slice(name.lastIndexOf(':') + 1),
    },
  };
  const index = JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [entry],
  });
  return { config, manifest, index };
}
