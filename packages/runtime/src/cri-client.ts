import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { Client, ServiceError } from '@grpc/grpc-js';
import type { CriMethod } from './cri-methods.ts';

/** Calls the CRI over one connection, which is made at the first call. */
export interface CriClient {
  /**
   * @param options.timeoutMs absent: the call may take as long as it takes
   * @throws CriFault
   */
  call<I extends DescMessage, O extends DescMessage>(
    method: CriMethod<I, O>,
    request: MessageInitShape<I>,
    options: { readonly timeoutMs?: number },
  ): Promise<MessageShape<O>>;
}

/** A gRPC call that failed. */
export class CriFault extends Error {
  override readonly name = 'CriFault';
  /** gRPC status code: 4 deadline exceeded, 5 not found, 12 unimplemented, 14 unavailable, … */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const grpcStatus = { deadlineExceeded: 4, notFound: 5, unimplemented: 12, unavailable: 14 } as const;

const channelOptions = {
  'grpc.enable_http_proxy': 0,
  'grpc.enable_channelz': 0,
  'grpc.enable_retries': 0,
  // As much as the kubelet accepts: a node with many containers has a long list.
  'grpc.max_receive_message_length': 16 * 1024 * 1024,
} as const;

/** @param socket `unix:///run/containerd/containerd.sock` */
export function criClient(socket: string): CriClient {
  let connected: Promise<Client> | undefined;
  const connect = async (): Promise<Client> => {
    const { Client, credentials } = await import('@grpc/grpc-js');
    return new Client(socket, credentials.createInsecure(), channelOptions);
  };
  return {
    async call(method, request, { timeoutMs }) {
      connected ??= connect();
      const client = await connected;
      const deadline = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          method.path,
          (message: Uint8Array) => Buffer.from(message),
          (bytes) => fromBinary(method.output, bytes),
          toBinary(method.input, create(method.input, request)),
          deadline,
          (error: ServiceError | null, response) => {
            if (error !== null) reject(new CriFault(error.code, error.details));
            else if (response !== undefined) resolve(response);
          },
        );
      });
    },
  };
}
