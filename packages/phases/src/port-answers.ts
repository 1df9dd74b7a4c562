import type { portCalls } from './port-calls.ts';
import { kindOf, type Wanted, wanted } from './require-arguments.ts';

/** What is wrong with an answer, as the end of a sentence that begins with where it is; nothing if it is in order. */
type Fault = (answer: unknown) => string | undefined;

const is =
  ({ name, isMet }: Wanted): Fault =>
  (answer) =>
    isMet(answer) ? undefined : ` is not ${name}: ${kindOf(answer)}`;

const text = is(wanted.text);
const flag = is(wanted.flag);
const object = is(wanted.object);
const texts = is({ ...wanted.names, name: 'a list of texts' });
const number = is({ name: 'a number', isMet: (value) => typeof value === 'number' && !Number.isNaN(value) });
const bytes = is({ name: 'a Uint8Array', isMet: (value) => ArrayBuffer.isView(value) });
const date = is({ name: 'a Date', isMet: (value) => value instanceof Date && !Number.isNaN(value.getTime()) });
const items = is({ name: 'a list', isMet: Array.isArray });
/** Nobody looks at it, or whoever does judges it himself. */
const anything: Fault = () => undefined;

const optional =
  (fault: Fault): Fault =>
  (answer) =>
    answer === undefined ? undefined : fault(answer);

const record =
  (fields: Readonly<Record<string, Fault>>): Fault =>
  (answer) => {
    const none = object(answer);
    if (none !== undefined) return none;
    for (const [field, faultOf] of Object.entries(fields)) {
      const fault = faultOf((answer as Readonly<Record<string, unknown>>)[field]);
      if (fault !== undefined) return `.${field}${fault}`;
    }
    return undefined;
  };

const listOf =
  (faultOf: Fault): Fault =>
  (answer) => {
    const none = items(answer);
    if (none !== undefined) return none;
    for (const [index, item] of (answer as readonly unknown[]).entries()) {
      const fault = faultOf(item);
      if (fault !== undefined) return `[${index}]${fault}`;
    }
    return undefined;
  };

const fileStatus = { kind: text, mode: number, uid: number, gid: number, size: number };
const clusterObject = record({ metadata: record({ name: text }) });
const probeResult = record({ status: optional(number), text });

/** What the calls of all ports answer, as far as the phases go by it. */
const answers: {
  readonly [N in keyof typeof portCalls]: { readonly [M in keyof (typeof portCalls)[N]]: Fault };
} = {
  host: { probe: probeResult },
  'host.files': {
    read: optional(record({ ...fileStatus, bytes })),
    status: optional(record(fileStatus)),
    list: optional(texts),
    realPath: optional(text),
    write: anything,
    append: anything,
    makeDirectory: anything,
    remove: anything,
    removeDirectory: anything,
    empty: listOf(record({ path: text, reason: text })),
  },
  'host.services': {
    status: record({ exists: flag, enabled: flag, active: flag, initSystem: text }),
    log: texts,
    restart: anything,
    stop: anything,
  },
  'host.facts': {
    hostName: text,
    uid: number,
    cpus: number,
    memoryMiB: number,
    addresses: record({ ipv4: texts, ipv6: texts, loopback: texts }),
    canListen: flag,
    program: optional(text),
    output: record({ code: number, stdout: text, stderr: text }),
    kernelRelease: text,
    cgroups: record({ version: optional(number), controllers: texts }),
    lookup: texts,
    proxyEnvironment: listOf(record({ name: text, value: text })),
    kernelFile: optional(text),
    sockets: texts,
    machineId: optional(text),
  },
  'host.mounts': { table: text, unmount: anything },
  cluster: {
    get: optional(clusterObject),
    list: listOf(clusterObject),
    probe: probeResult,
    create: clusterObject,
    apply: clusterObject,
    patch: clusterObject,
    delete: anything,
  },
  clusters: { connect: object },
  runtime: {
    version: record({ name: text, version: text, apiVersion: text }),
    status: listOf(record({ type: text, status: flag })),
    cgroupDriver: optional(text),
    imageExists: flag,
    containers: listOf(record({ id: text, name: text, pod: text, state: text, attempt: number })),
    sandboxes: listOf(record({ id: text, name: text, namespace: text, ready: flag })),
    log: texts,
    pullImage: anything,
    removeSandbox: anything,
  },
  etcd: {
    members: listOf(record({ id: text, name: text })),
    addLearner: anything,
    promote: anything,
    remove: anything,
  },
  clock: { now: date, monotonicMs: number, sleep: anything },
  entropy: { bytes },
  signer: { canIssue: flag, issue: anything },
};

/**
 * Holds what a port answers to its type, which TypeScript alone does not hold everybody to.
 *
 * @returns what came in place of it, without what is in it, as the end of a sentence about the call; undefined if it is in order
 */
export function answerFault(port: keyof typeof portCalls, method: string, answer: unknown): string | undefined {
  const faults: Readonly<Record<string, Fault>> = answers[port];
  const fault = faults[method]?.(answer);
  if (fault === undefined) return undefined;
  return fault.startsWith(' ') ? `it${fault}` : `its ${fault.replace(/^\./, '')}`;
}
