/** Patches at random, for comparison with another implementation: some make sense, many do not. */

/** A linear congruential generator (Numerical Recipes): reproducible, and good for nothing else. */
export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  /** From 0 to 1, without 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }
  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)] as T;
  }
  list<T>(most: number, item: () => T): readonly T[] {
    return Array.from({ length: Math.floor(this.next() * (most + 1)) }, item);
  }
  /** The members, each with its probability. */
  members(rows: Readonly<Record<string, readonly [number, () => unknown]>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Object.entries(rows).flatMap(([name, [probability, value]]) =>
        this.next() < probability ? [[name, value()]] : [],
      ),
    );
  }
  /** Mostly without repetition of what tells items apart. */
  distinct(key: string, items: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
    if (this.next() < 0.2) return items;
    return items.filter((item, index) => items.findIndex((other) => other[key] === item[key]) === index);
  }
}

const containers = ['kube-scheduler', 'second', 'n1', 'n2', 'n3'];
const variables = ['A', 'B', 'C', 'D', 'E'];
const ports = [53, 10259, 1, 2];
const finalizers = ['f/one', 'f/two', 'f/three', 'f/four', 'f/five'];
const directives = ['delete', 'delete', 'replace', 'merge'];

/** A strategic merge patch, or a merge patch, for the sample pod. */
export function randomPodPatch(chance: Chance): unknown {
  const directive = [0.15, () => chance.pick(directives)] as const;
  const order = (key: string, values: readonly unknown[]) => () =>
    chance.distinct(
      key,
      chance.list(5, () => ({ [key]: chance.pick(values) })),
    );
  const variable = () =>
    chance.members({
      name: [0.97, () => chance.pick(variables)],
      value: [0.5, () => chance.pick(['1', '2', null])],
      $patch: directive,
      valueFrom: [0.2, () => chance.pick([null, { fieldRef: { fieldPath: 'x', $patch: 'delete' } }, { fieldRef: {} }])],
    });
  const port = () =>
    chance.members({
      containerPort: [1, () => chance.pick(ports)],
      name: [0.5, () => chance.pick(['a', null])],
      $patch: directive,
    });
  const mount = () =>
    chance.members({
      mountPath: [1, () => chance.pick(['/etc/kubernetes/scheduler.conf', '/usr/share/ca', '/x'])],
      name: [1, () => 'certs'],
      $patch: directive,
    });
  const container = () =>
    chance.members({
      name: [0.98, () => chance.pick(containers)],
      $patch: directive,
      image: [0.4, () => chance.pick(['x', 'z', null])],
      env: [0.4, () => chance.distinct('name', chance.list(3, variable) as never)],
      '$setElementOrder/env': [0.15, order('name', variables)],
      ports: [0.3, () => chance.list(3, port)],
      '$setElementOrder/ports': [0.1, order('containerPort', ports)],
      volumeMounts: [0.3, () => chance.distinct('mountPath', chance.list(3, mount))],
      command: [0.1, () => chance.pick([null, ['a'], []])],
      '$deleteFromPrimitiveList/command': [0.1, () => ['--leader-elect=true']],
      $retainKeys: [0.05, () => ['name', 'image', 'env']],
      livenessProbe: [0.2, () => chance.pick([null, { httpGet: { port: 5 } }, { $patch: 'replace', exec: {} }])],
      resources: [0.1, () => ({ requests: { cpu: chance.pick([1, 0.5, '1000m', null]) } })],
    });
  const volume = () =>
    chance.members({
      name: [1, () => chance.pick(['kubeconfig', 'certs', 'v1'])],
      $patch: directive,
      $retainKeys: [0.3, () => ['name', 'emptyDir']],
      emptyDir: [0.5, () => ({})],
      hostPath: [0.2, () => null],
    });
  const metadata = () =>
    chance.members({
      labels: [0.5, () => chance.pick([null, { a: 'b', tier: null }, { $patch: 'replace', c: 'd' }])],
      finalizers: [0.5, () => chance.list(4, () => chance.pick(finalizers))],
      '$setElementOrder/finalizers': [0.3, () => chance.list(5, () => chance.pick(finalizers))],
    });
  const spec = () =>
    chance.members({
      containers: [0.7, () => chance.distinct('name', chance.list(4, container))],
      '$setElementOrder/containers': [0.25, order('name', containers)],
      initContainers: [0.1, () => chance.distinct('name', chance.list(3, container))],
      '$setElementOrder/initContainers': [0.1, order('name', containers)],
      volumes: [0.3, () => chance.list(3, volume)],
      priority: [0.1, () => chance.pick([1, null, 2 ** 31])],
      tolerations: [0.1, () => chance.list(3, () => chance.members({ key: [1, () => 'a'], $patch: directive }))],
    });
  return chance.members({ metadata: [0.4, metadata], spec: [0.95, spec] });
}

const pointers = [
  ...['', '/spec/containers', '/spec/containers/0', '/spec/containers/1/name', '/spec/containers/-'],
  ...['/spec/containers/-1', '/metadata/labels', '/metadata/labels/tier', '/metadata/labels/x', '/spec/priority'],
  ...['/spec/containers/0/env/1', '/spec/containers/0/command/0', '/spec/containers/0/command/7', '/spec/hostname'],
  ...['/metadata/finalizers/2', '/spec/containers/2/image'],
];

/** A JSON patch of one operation for the sample pod. */
export function randomJsonPatch(chance: Chance): unknown {
  const operation = chance.members({
    op: [1, () => chance.pick(['add', 'remove', 'replace', 'move', 'copy', 'test'])],
    path: [1, () => chance.pick(pointers)],
    from: [0.7, () => chance.pick(pointers)],
    value: [0.8, () => chance.pick(['x', 1, null, { name: 'z' }, ['q']])],
  });
  return [operation];
}
