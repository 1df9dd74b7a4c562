import { create, fromBinary, type MessageInitShape, type MessageShape, toBinary } from '@bufbuild/protobuf';
import type { ServiceError } from '@grpc/grpc-js';
import { CriFault, reasonOf } from './cri-fault.ts';
import { type CriMethod, criMethods } from './cri-methods.ts';
import { Client, credentials } from './grpc.ts';

export type CriMethodName = keyof typeof criMethods;
export type CriRequest<N extends CriMethodName> = MessageInitShape<(typeof criMethods)[N]['input']>;
export type CriResponse<N extends CriMethodName> = MessageShape<(typeof criMethods)[N]['output']>;

/** Calls the CRI over one connection, which is made at the first call and does not keep the process alive. */
export interface CriClient {
  /**
   * @param options.timeoutMs absent: the call may take as long as it takes
   * @throws CriFault
   */
  call<N extends CriMethodName>(
    name: N,
    request: CriRequest<N>,
    options: { readonly timeoutMs?: number },
  ): Promise<CriResponse<N>>;
}

const channelOptions = {
  'grpc.enable_http_proxy': 0,
  'grpc.enable_channelz': 0,
  'grpc.enable_retries': 0,
  // As much as the kubelet accepts: a node with many containers has a long list.
  'grpc.max_receive_message_length': 16 * 1024 * 1024,
} as const;

/** @param socket `unix:///run/containerd/containerd.sock` */
export function criClient(socket: string): CriClient {
  const client = new Client(socket, credentials.createInsecure(), channelOptions);
  return {
    call(name, request, { timeoutMs }) {
      // The table's rows differ in their types, and TypeScript does not follow a row through a generic name.
      const method = criMethods[name] as unknown as CriMethod<
        (typeof criMethods)[typeof name]['input'],
        (typeof criMethods)[typeof name]['output']
      >;
      const deadline = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          method.path,
          (message: Uint8Array) => Buffer.from(message),
          (bytes) => fromBinary(method.output, bytes),
          toBinary(method.input, create(method.input, request)),
          deadline,
          (error: ServiceError | null, response) => {
            if (error !== null) reject(new CriFault(error.code, reasonOf(error.details)));
            else if (response !== undefined) resolve(response as CriResponse<typeof name>);
          },
        );
      });
    },
  };
}
