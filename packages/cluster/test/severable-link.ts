import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP port that passes everything on to another one, until it is cut. */
export interface SeverableLink {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  /** Connections that were accepted so far. */
  accepted(): number;
  close(): Promise<void>;
}

export async function severableLink(targetPort: number): Promise<SeverableLink> {
  const sockets = new Set<Socket>();
  let whole = true;
  let accepted = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    keep(near);
    if (!whole) {
      near.resetAndDestroy();
      return;
    }
    accepted += 1;
    const far = connect(targetPort, '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    cut() {
      whole = false;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend() {
      whole = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
