import {
  type BootstrapTool,
  createMachine,
  groundplaneDirectory,
  installGroundplane,
  type Machine,
  succeeding,
} from '@groundplane/testbed';

/** Where cloud-init looks for user data that the image brings along (its datasource NoCloud). */
const seed = '/var/lib/cloud/seed/nocloud';

/** What an image for machines like these says: the testbed has configured the network, and there is no SSH. */
const settings = `datasource_list: [NoCloud]
network: {config: disabled}
ssh_deletekeys: false
ssh_genkeytypes: []
`;

/** Verdict of `cloud-init status`. */
export interface CloudInitStatus {
  readonly status: string;
  readonly extended_status: string;
  readonly errors: readonly string[];
  readonly recoverable_errors: Readonly<Record<string, readonly string[]>>;
}

/** A machine whose image has cloud-init and Groundplane; unless told otherwise, there is no other kubeadm than ours. */
export async function createCloudMachine(
  name: string,
  { kubeadm = 'groundplane' }: { readonly kubeadm?: BootstrapTool } = {},
): Promise<Machine> {
  const machine = await createMachine({ name, debianPackages: ['cloud-init'] });
  await installGroundplane(machine);
  const programs = `rm /usr/bin/kubeadm && ln -s ${groundplaneDirectory}/bin/kubeadm /usr/bin/kubeadm`;
  if (kubeadm === 'groundplane') await succeeding(machine, ['sh', '-c', programs]);
  await machine.writeFile('/etc/cloud/cloud.cfg.d/90-image.cfg', settings);
  return machine;
}

/**
 * Boots the machine with this user data, as a cloud would give it, and waits until cloud-init has done what it says.
 *
 * @throws Error with the end of its log if it did not succeed
 */
export async function bootWithUserData(machine: Machine, userData: string): Promise<CloudInitStatus> {
  const metaData = `instance-id: ${machine.name}\nlocal-hostname: ${machine.name}\n`;
  await machine.writeFile(`${seed}/meta-data`, metaData);
  await machine.writeFile(`${seed}/user-data`, userData, 0o600);
  await machine.stop();
  // What cloud-init runs is part of the boot, and may take longer than a boot is given: its own verdict counts.
  const booted = await machine.start().catch((cause: Error) => cause);
  const { stdout } = await machine.exec(['cloud-init', 'status', '--wait', '--format=json'], { timeoutMs: 400_000 });
  const answer = stdout.slice(stdout.indexOf('{'));
  const status = answer.startsWith('{') ? (JSON.parse(answer) as CloudInitStatus) : undefined;
  if (status?.status === 'done') return status;
  const log = await machine.exec(['tail', '--lines=60', '/var/log/cloud-init-output.log']);
  throw new Error(`cloud-init on ${machine.name} has failed: ${stdout}\n${log.stdout}`, { cause: booted });
}
