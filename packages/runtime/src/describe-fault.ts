import { type CriFault, grpcStatus } from './cri-fault.ts';
import { runtimeError } from './error-codes.ts';

/** The error to raise for a call that failed. */
export function describeFault(fault: CriFault, options: { readonly what: string; readonly socket: string }): Error {
  const { what, socket } = options;
  const more = { cause: fault, details: { socket, grpcCode: fault.code } };
  switch (fault.code) {
    case grpcStatus.unavailable:
    case grpcStatus.deadlineExceeded:
      return runtimeError('RUNTIME_UNAVAILABLE', `Cannot ${what} as nothing answers on ${socket}: ${fault.message}`, {
        ...more,
        hint: 'check that the container runtime runs (systemctl status containerd) and that criSocket names its socket',
      });
    case grpcStatus.unimplemented:
      return runtimeError(
        'RUNTIME_UNSUPPORTED',
        `Cannot ${what} as the runtime on ${socket} does not implement it: ${fault.message}`,
        {
          ...more,
          hint: 'the runtime must serve CRI v1; in containerd, the CRI plugin must not be disabled in /etc/containerd/config.toml',
        },
      );
    default:
      return runtimeError(
        'RUNTIME_FAILED',
        `Cannot ${what} as the runtime on ${socket} failed: ${fault.message}`,
        more,
      );
  }
}
