import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A SOCKS5 proxy (RFC 1928) that wants this user and password (RFC 1929), and connects to this host whatever name it is asked for.
 *
 * @param seen gets what it was asked for, `host:port`, once per connection
 */
export function socksServer(seen: string[], { user, host }: { readonly user: string; readonly host: string }): Server {
  return createServer(async (socket) => {
    socket.on('error', () => {});
    const read = reader(socket);
    const [, methods = 0] = await read(2);
    const wanted = user === '' ? 0 : 2;
    const offered = (await read(methods)).includes(wanted);
    socket.write(Buffer.from([5, offered ? wanted : 255]));
    if (!offered) return;
    if (user !== '') {
      const text = async () => String(await read((await read(1))[0] ?? 0));
      await read(1);
      const given = `${await text()}:${await text()}`;
      socket.write(Buffer.from([1, given === user ? 0 : 1]));
    }
    const [, , , kind] = await read(4);
    const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await read(1))[0] ?? 0);
    const address = await read(length);
    const port = (await read(2)).readUInt16BE();
    seen.push(`${kind === 3 ? address.toString() : [...address].join('.')}:${port}`);
    const outward = connect(port, host, () => {
      socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      outward.pipe(socket).pipe(outward);
      socket.resume();
    });
    outward.on('error', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
    socket.on('close', () => outward.destroy());
  });
}

function reader(socket: Socket): (length: number) => Promise<Buffer> {
  return async (length) => {
    for (;;) {
      const bytes = length === 0 ? Buffer.alloc(0) : (socket.read(length) as Buffer | null);
      if (bytes !== null) return bytes;
      await new Promise((resolve) => socket.once('readable', resolve));
    }
  };
}
