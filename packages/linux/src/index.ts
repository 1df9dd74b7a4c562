export { type CommandSignerOptions, commandSigner } from './command-signer.ts';
export { type LinuxPorts, type LinuxPortsOptions, linuxPorts } from './linux-ports.ts';
