import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import type { CriMethodName, CriRequest } from '../src/cri-client.ts';
import { criMethods } from '../src/cri-methods.ts';

export type Answers = {
  readonly [N in CriMethodName]?: (request: CriResponseInput<N>) => Answer<N> | Promise<Answer<N>>;
};
type Answer<N extends CriMethodName> = Parameters<typeof create<(typeof criMethods)[N]['output']>>[1];
type CriResponseInput<N extends CriMethodName> = ReturnType<typeof fromBinary<(typeof criMethods)[N]['input']>>;

/** What an answer throws to make the call fail with a gRPC status. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: keyof typeof status, message: string) {
    super(message);
    this.code = status[code];
  }
}

/** Calls that crictl makes besides, answered with an empty message. */
const emptyAnswers = ['ImageService/ImageFsInfo', 'ImageService/ListImages'];
/** Those of ours that crictl makes besides; a test that does not answer them means an empty message, too. */
const emptyByDefault: readonly CriMethodName[] = ['listPodSandbox'];

/**
 * A gRPC server that answers calls of the CRI as a test wants: for states of containers that a test cannot bring about.
 * Calls without answer are unimplemented.
 */
export async function criServer(socket: string, answers: Answers): Promise<{ stop(): void }> {
  const server = new Server();
  const unary = (path: string) => ({
    path,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: (value: Buffer) => value,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (value: Buffer) => value,
    responseDeserialize: (bytes: Buffer) => bytes,
  });
  for (const name of emptyAnswers) {
    server.addService(
      { [name]: unary(`/runtime.v1.${name}`) },
      { [name]: (_: unknown, done: (error: null, bytes: Buffer) => void) => done(null, Buffer.alloc(0)) },
    );
  }
  const definition = Object.fromEntries(Object.entries(criMethods).map(([name, method]) => [name, unary(method.path)]));
  const implementation = Object.fromEntries(
    (Object.keys(criMethods) as CriMethodName[]).map((name) => [
      name,
      (call: { request: Buffer }, done: (error: Partial<ServiceError> | null, bytes?: Buffer) => void) => {
        answer(name, answers, call.request).then(
          (bytes) => done(null, Buffer.from(bytes)),
          (error: Refusal) => done({ code: error.code ?? status.INTERNAL, details: error.message }),
        );
      },
    ]),
  );
  server.addService(definition, implementation);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return { stop: () => server.forceShutdown() };
}

async function answer<N extends CriMethodName>(name: N, answers: Answers, bytes: Buffer): Promise<Uint8Array> {
  const method = criMethods[name];
  const reply = (answers[name] ?? (emptyByDefault.includes(name) ? () => ({}) : undefined)) as
    | ((request: unknown) => unknown)
    | undefined;
  if (reply === undefined) throw new Refusal('UNIMPLEMENTED', `unknown method ${method.path}`);
  const value = await reply(fromBinary(method.input, bytes));
  return toBinary(method.output, create(method.output, value as CriRequest<never>));
}
