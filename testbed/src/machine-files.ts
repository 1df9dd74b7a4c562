/** A file of the layer that all machines share; `mode` is 0644 unless given. */
export interface LayerFile {
  readonly path: string;
  readonly content: string;
  readonly mode?: number;
}

export interface LayerOptions {
  readonly cgroupVersion: 1 | 2;
  readonly pauseImage: string;
}

/** Kernel settings that the kubelet wants, and that the whole host would get if it set them. */
const kubeletKernelSettings: Readonly<Record<string, string>> = {
  'kernel/keys/root_maxbytes': '25000000',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
};

/** Shell lines that show the kubelet a file with what it wants in place of each setting. */
const hideKernelSettings = Object.entries(kubeletKernelSettings).map(([name, value]) => {
  const file = `/run/kernel-settings/${name.replaceAll('/', '.')}`;
  return `echo ${value} > ${file} && mount --bind ${file} /proc/sys/${name}`;
});

const containerdConfig = ({ cgroupVersion, pauseImage }: LayerOptions) => `version = 3

[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = '${pauseImage}'

[plugins.'io.containerd.cri.v1.runtime']
  # A host without CAP_SYS_RESOURCE cannot set a negative OOM score: every sandbox would fail.
  restrict_oom_score_adj = true

[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = 'io.containerd.runc.v2'

[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
  SystemdCgroup = ${cgroupVersion === 2}
`;

const containerdService = `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target dbus.service

[Service]
ExecStart=/usr/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=1
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity

[Install]
WantedBy=multi-user.target
`;

// As in the Kubernetes project's Debian packages.
const kubeletService = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

// As in the Kubernetes project's Debian packages.
const kubeadmDropIn = `# Note: This dropin only works with kubeadm and kubelet v1.11+
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
# This is a file that "kubeadm init" and "kubeadm join" generates at runtime, populating the KUBELET_KUBEADM_ARGS variable dynamically
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
# This is a file that the user can use for overrides of the kubelet args as a last resort. Preferably, the user should use
# the .NodeRegistration.KubeletExtraArgs object in the configuration files instead. KUBELET_EXTRA_ARGS should be sourced from this file.
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`;

const kernelSettingsService = `[Unit]
Description=Keep the kubelet's kernel settings inside this machine
DefaultDependencies=no
Before=kubelet.service containerd.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/lib/groundplane-testbed/hide-kernel-settings

[Install]
WantedBy=multi-user.target
`;

/** The files that every machine has beyond Debian and the built programs. */
export function layerFiles(options: LayerOptions): readonly LayerFile[] {
  return [
    { path: '/etc/containerd/config.toml', content: containerdConfig(options) },
    { path: '/etc/crictl.yaml', content: 'runtime-endpoint: unix:///run/containerd/containerd.sock\n' },
    { path: '/usr/lib/systemd/system/containerd.service', content: containerdService },
    { path: '/usr/lib/systemd/system/kubelet.service', content: kubeletService },
    { path: '/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf', content: kubeadmDropIn },
    { path: '/usr/lib/systemd/system/kernel-settings.service', content: kernelSettingsService },
    {
      path: '/usr/lib/groundplane-testbed/hide-kernel-settings',
      content: ['#!/bin/sh', 'set -e', 'mkdir -p /run/kernel-settings', ...hideKernelSettings, ''].join('\n'),
      mode: 0o755,
    },
  ];
}

/** Units of the layer that start at boot. */
export const enabledUnits: readonly string[] = ['containerd.service', 'kernel-settings.service', 'kubelet.service'];

/** Folders that must exist although nothing is in them yet. */
export const layerFolders: readonly string[] = [
  '/etc/cni/net.d',
  '/usr/lib/modules',
  '/var/lib/containerd',
  '/var/log/journal',
];

/** The CNI network of one machine: a bridge with the machine's pod subnet. */
export function cniConfiguration(podSubnet: string): string {
  const configuration = {
    cniVersion: '1.0.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isDefaultGateway: true,
        hairpinMode: true,
        // Pod addresses are routed between the machines, so nothing is rewritten.
        ipMasq: false,
        ipam: { type: 'host-local', ranges: [[{ subnet: podSubnet }]] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

/** /etc/hosts of a machine that knows the others by name. */
export function hostsFile(machines: readonly { readonly name: string; readonly address: string }[]): string {
  const lines = machines.map(({ name, address }) => `${address} ${name}`);
  return ['127.0.0.1 localhost', '::1 localhost ip6-localhost', ...lines, ''].join('\n');
}
