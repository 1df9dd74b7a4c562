/** Capability names by the kernel's number. */
const capabilityNames: readonly string[] = [
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE',
  'NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE',
  'SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE',
  'AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF',
  'CHECKPOINT_RESTORE',
].flatMap((line) => line.split(' '));

/** With these a machine could change what all of the host shares: kernel modules, devices, the clock. */
const withheld: ReadonlySet<string> = new Set(['SYS_MODULE', 'SYS_RAWIO', 'SYS_TIME']);

/** The capabilities that a machine gets, from the text of /proc/self/status: those we have, less a few. */
export function machineCapabilities(status: string): readonly string[] {
  const mask = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  return capabilityNames
    .filter((name, bit) => (mask >> BigInt(bit)) & 1n && !withheld.has(name))
    .map((name) => `CAP_${name}`);
}
