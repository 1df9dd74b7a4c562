export { type LinuxPorts, type LinuxPortsOptions, linuxPorts } from './linux-ports.ts';
