import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun, runCommand } from './run-command.ts';
import { addresses, cableName, type TestbedIdentity } from './testbed-identity.ts';

const bridge = 'br0';

/** File that holds the network namespace of the bridge. The dot keeps it apart from machine names. */
export function bridgeNamespace(identity: TestbedIdentity): string {
  return join(identity.runDirectory, 'network', '.bridge');
}

/** `ip netns` would leave a mount at /run/netns behind and hides the cgroups in exec; files of our own do not. */
async function makeNamespace(file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  await mustRun(['unshare', `--net=${file}`, 'true']);
}

/** Removes a namespace that `makeNamespace` made, as far as there is one. */
export async function removeNamespace(file: string): Promise<void> {
  if (!existsSync(file)) return;
  await runCommand(['umount', file]);
  rmSync(file, { force: true });
}

async function inNamespace(file: string, ...argv: readonly string[]): Promise<void> {
  await mustRun(['nsenter', `--net=${file}`, ...argv]);
}

/** Makes the bridge, in a namespace of its own and with no way out, unless it is there. */
export async function ensureBridge(identity: TestbedIdentity, subnet: number): Promise<void> {
  const namespace = bridgeNamespace(identity);
  // The last step is the proof of all: a killed command may have left half of it.
  if (await shows(namespace, 'link', 'show', bridge, 'up')) return;
  await removeNamespace(namespace);
  await makeNamespace(namespace);
  const inside = (...argv: string[]) => inNamespace(namespace, ...argv);
  await inside('sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.conf.all.send_redirects=0');
  await inside('sysctl', '-qw', 'net.ipv4.conf.default.send_redirects=0');
  await inside('ip', 'link', 'set', 'lo', 'up');
  await inside('ip', 'link', 'add', bridge, 'type', 'bridge');
  await inside('ip', 'address', 'add', `${addresses.bridge(subnet)}/${addresses.prefixLength}`, 'dev', bridge);
  // What goes nowhere is dropped without an answer, as by most networks. The kernel's own answer would come for some packets only.
  await inside('ip', 'route', 'add', 'blackhole', 'default');
  await inside('ip', 'link', 'set', bridge, 'up');
}

/** Whether `ip …` in a namespace has something to show. No, when there is no namespace. */
async function shows(namespace: string, ...argv: readonly string[]): Promise<boolean> {
  if (!existsSync(namespace)) return false;
  const { code, stdout } = await runCommand(['nsenter', `--net=${namespace}`, 'ip', ...argv]);
  return code === 0 && stdout.trim() !== '';
}

/**
 * Makes a machine's network namespace with a cable to the bridge, its address, and
 * the bridge as default route; and tells the bridge where the machine's pods are.
 */
export async function attachMachine(
  identity: TestbedIdentity,
  namespace: string,
  subnet: number,
  index: number,
): Promise<void> {
  if (await shows(namespace, 'route', 'show', 'default')) return;
  await detachMachine(identity, namespace, index);
  await makeNamespace(namespace);
  const cable = cableName(index);
  const address = addresses.machine(subnet, index);
  const atBridge = (...argv: string[]) => inNamespace(bridgeNamespace(identity), ...argv);
  const atMachine = (...argv: string[]) => inNamespace(namespace, ...argv);
  await atBridge('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await atBridge('ip', 'link', 'set', cable, 'master', bridge, 'up');
  await atMachine('sysctl', '-qw', 'net.ipv4.ip_forward=1');
  await atMachine('ip', 'link', 'set', 'lo', 'up');
  await atMachine('ip', 'address', 'add', `${address}/${addresses.prefixLength}`, 'dev', 'eth0');
  await atMachine('ip', 'link', 'set', 'eth0', 'up');
  await atBridge('ip', 'route', 'replace', addresses.pods(index), 'via', address);
  await atMachine('ip', 'route', 'add', 'default', 'via', addresses.bridge(subnet));
}

/** Undoes `attachMachine`. Whatever is not there is skipped. */
export async function detachMachine(identity: TestbedIdentity, namespace: string, index: number): Promise<void> {
  const hub = bridgeNamespace(identity);
  if (existsSync(hub)) {
    await runCommand(['nsenter', `--net=${hub}`, 'ip', 'link', 'delete', cableName(index)]);
    await runCommand(['nsenter', `--net=${hub}`, 'ip', 'route', 'delete', addresses.pods(index)]);
  }
  await removeNamespace(namespace);
}

/** Pulls a machine's cable, or plugs it in again: the machine cannot tell this from a real one. */
export async function setCable(identity: TestbedIdentity, index: number, plugged: boolean): Promise<void> {
  await inNamespace(bridgeNamespace(identity), 'ip', 'link', 'set', cableName(index), plugged ? 'up' : 'down');
}
