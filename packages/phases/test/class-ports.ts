import type { SuppliedPorts } from '../src/ports.ts';

/**
 * The same ports as somebody may have written them as classes: methods are on a prototype, look at a private field, and need their
 * `this`.
 */
export function classPorts(ports: SuppliedPorts): SuppliedPorts {
  const connect: SuppliedPorts['clusters']['connect'] = async (options) =>
    instanceOf(await ports.clusters.connect(options));
  return instanceOf({
    host: ports.host,
    runtime: ports.runtime,
    signer: ports.signer,
    clock: ports.clock,
    entropy: ports.entropy,
    clusters: { connect },
    ...(ports.etcd === undefined ? {} : { etcd: ports.etcd }),
  });
}

function instanceOf<P extends object>(port: P): P {
  class Instance {
    readonly #real = port;
    static call(instance: Instance, name: string, args: readonly unknown[]): unknown {
      const method = (instance.#real as Record<string, (...args: readonly unknown[]) => unknown>)[name];
      return method?.call(instance.#real, ...args);
    }
  }
  for (const [name, member] of Object.entries(port)) {
    const isMethod = typeof member === 'function';
    const inner = isMethod ? undefined : instanceOf(member);
    Object.defineProperty(
      Instance.prototype,
      name,
      isMethod
        ? {
            value(this: Instance, ...args: readonly unknown[]) {
              return Instance.call(this, name, args);
            },
          }
        : { get: () => inner },
    );
  }
  return new Instance() as unknown as P;
}
