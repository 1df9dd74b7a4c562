/** Ports of a local etcd, as kubeadm fixes them. */
export const etcdPorts = { client: 2379, peer: 2380, metrics: 2381 } as const;

/** An address and a port in one text; IPv6 addresses get brackets (RFC 3986, section 3.2.2). */
export function joinHostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** True for an IPv6 address. IPv4-mapped addresses such as `::ffff:192.0.2.1` count as IPv4, as they do in Go. */
export function isIPv6(address: string): boolean {
  return (
    address.includes(':') &&
    !/^(?:(?:0{1,4}:){5}|::(?:0{1,4}:){0,4})ffff:(?:[\d.]+|[\da-f]{1,4}:[\da-f]{1,4})$/i.test(address)
  );
}

/** The loopback address of the family that `address` belongs to. */
export function loopbackOf(address: string): '::1' | '127.0.0.1' {
  return isIPv6(address) ? '::1' : '127.0.0.1';
}

/** Where clients reach the etcd member that listens on `address`. */
export function etcdClientURL(address: string): string {
  return `https://${joinHostPort(address, etcdPorts.client)}`;
}

/** Where other members reach the etcd member that listens on `address`. */
export function etcdPeerURL(address: string): string {
  return `https://${joinHostPort(address, etcdPorts.peer)}`;
}
