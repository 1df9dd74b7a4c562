import { suppliedPorts } from '@groundplane/bootstrap';
import { linuxPorts } from '@groundplane/linux';
import type { Signer, SuppliedPorts } from '@groundplane/phases';
import type { NodeHost } from './node-host.ts';

export interface LocalPortsOptions {
  readonly node: NodeHost;
  /** Socket of the container runtime; asked for when the runtime is first used, since it may have to be detected before. */
  readonly criSocket: () => string;
  readonly signer: Signer;
}

/** The ports of this machine, or of what `--rootfs` says. */
export function localPorts({ node: { host, root }, criSocket, signer }: LocalPortsOptions): SuppliedPorts {
  return suppliedPorts({ ...linuxPorts({ root }), host, signer }, criSocket);
}
