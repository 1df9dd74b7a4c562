// biome-ignore lint/suspicious/noExplicitAny: patches may make a pod of any shape
type Document = any;

/** The parts of a pod that patches reach: what is absent reads as null, where a list or an object is meant as an empty one. */
export function podSelection({ metadata, spec }: Document): unknown {
  return {
    name: metadata.name,
    labels: metadata.labels,
    priority: spec.priority ?? '<absent>',
    tolerations: spec.tolerations ?? null,
    volumes: (spec.volumes ?? []).map(({ name }: Document) => name),
    containers: spec.containers.map((container: Document) => ({
      name: container.name,
      image: container.image,
      command: container.command ?? null,
      env: container.env ?? null,
      ports: container.ports ?? null,
      mounts: (container.volumeMounts ?? []).map(({ mountPath }: Document) => mountPath),
      resources: container.resources ?? {},
      startup: container.startupProbe !== undefined,
      livenessPort: container.livenessProbe?.httpGet.port ?? null,
    })),
    nonsense: spec.nonsense ?? '<absent>',
  };
}
