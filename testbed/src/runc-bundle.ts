/** What differs between the bundles of two machines. */
export interface BundleOptions {
  readonly name: string;
  readonly root: string;
  readonly networkNamespace: string;
  readonly containerdDirectory: string;
  readonly cgroupsPath: string;
  readonly capabilities: readonly string[];
}

export const machineEnvironment: Readonly<Record<string, string>> = {
  HOME: '/root',
  LANG: 'C.UTF-8',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

const temporary = ['nosuid', 'nodev', 'mode=755'];

/** The OCI runtime configuration of a machine: a privileged container whose PID 1 is systemd. */
export function bundleConfiguration(options: BundleOptions): unknown {
  const { capabilities } = options;
  const environment = Object.entries(machineEnvironment).map(([name, value]) => `${name}=${value}`);
  return {
    ociVersion: '1.0.2',
    hostname: options.name,
    root: { path: options.root, readonly: false },
    process: {
      args: ['/lib/systemd/systemd'],
      cwd: '/',
      // systemd looks here to learn that it is in a container.
      env: [...environment, 'container=oci'],
      user: { uid: 0, gid: 0 },
      terminal: false,
      noNewPrivileges: false,
      capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities, inheritable: [] },
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', 'rw'] },
      { destination: '/sys/fs/cgroup', type: 'cgroup', source: 'cgroup', options: ['nosuid', 'noexec', 'nodev', 'rw'] },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'strictatime', 'mode=755'] },
      {
        destination: '/dev/pts',
        type: 'devpts',
        source: 'devpts',
        options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
      },
      { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: ['nosuid', 'nodev', 'noexec', 'mode=1777'] },
      { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: ['nosuid', 'noexec', 'nodev'] },
      { destination: '/run', type: 'tmpfs', source: 'tmpfs', options: temporary },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
      {
        // containerd's own overlays cannot lie on an overlay.
        destination: '/var/lib/containerd',
        type: 'bind',
        source: options.containerdDirectory,
        options: ['rbind', 'rw'],
      },
    ],
    linux: {
      cgroupsPath: options.cgroupsPath,
      rootfsPropagation: 'rshared',
      namespaces: [
        { type: 'pid' },
        { type: 'ipc' },
        { type: 'uts' },
        { type: 'mount' },
        { type: 'cgroup' },
        { type: 'network', path: options.networkNamespace },
      ],
      // The kubelet does not start without /dev/kmsg.
      devices: [{ path: '/dev/kmsg', type: 'c', major: 1, minor: 11, fileMode: 0o644, uid: 0, gid: 0 }],
      resources: { devices: [{ allow: true, access: 'rwm' }] },
      maskedPaths: [],
      readonlyPaths: [],
    },
  };
}
