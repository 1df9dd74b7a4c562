import { type CommandFlags, commandTable } from './command-table.ts';

/** Parents and their other names. */
const groups: Readonly<Record<string, string>> = {
  'init phase': '',
  'init phase addon': '',
  'init phase certs': '',
  'init phase control-plane': '',
  'init phase etcd': '',
  'init phase kubeconfig': '',
  'init phase kubelet-finalize': '',
  'init phase upload-config': 'uploadconfig',
};

const endpoint = 'apiserver-advertise-address apiserver-bind-port control-plane-endpoint';
const leafCertificate = 'cert-dir config dry-run kubernetes-version';
const servingCertificate = `${leafCertificate} apiserver-advertise-address apiserver-cert-extra-sans control-plane-endpoint service-cidr service-dns-domain`;
const kubeconfig = `${endpoint} cert-dir config dry-run kubeconfig-dir kubernetes-version`;
const component = 'cert-dir config dry-run image-repository kubernetes-version patches';
const addon = 'config dry-run image-repository kubeconfig kubernetes-version service-cidr service-dns-domain';
const uploadConfig = 'config cri-socket dry-run kubeconfig';

/** Leaf command → flags (kubeadm 1.37, measured from its help; deprecated flags from its source). */
const leaves: Readonly<Record<string, string>> = {
  init: `${endpoint} apiserver-cert-extra-sans cert-dir certificate-key config cri-socket dry-run feature-gates
    ignore-preflight-errors image-repository kubernetes-version node-name patches pod-network-cidr service-cidr
    service-dns-domain skip-certificate-key-print skip-phases skip-token-print token token-ttl upload-certs`,
  'init phase preflight': 'config cri-socket dry-run ignore-preflight-errors image-repository',
  'init phase certs all': servingCertificate,
  'init phase certs ca': leafCertificate,
  'init phase certs apiserver': servingCertificate,
  'init phase certs apiserver-kubelet-client': leafCertificate,
  'init phase certs front-proxy-ca': leafCertificate,
  'init phase certs front-proxy-client': leafCertificate,
  'init phase certs etcd-ca': leafCertificate,
  'init phase certs etcd-server': leafCertificate,
  'init phase certs etcd-peer': leafCertificate,
  'init phase certs etcd-healthcheck-client': leafCertificate,
  'init phase certs apiserver-etcd-client': leafCertificate,
  'init phase certs sa': leafCertificate,
  'init phase kubeconfig all': `${kubeconfig} node-name`,
  'init phase kubeconfig admin': kubeconfig,
  'init phase kubeconfig super-admin': kubeconfig,
  'init phase kubeconfig kubelet': `${kubeconfig} node-name`,
  'init phase kubeconfig controller-manager': kubeconfig,
  'init phase kubeconfig scheduler': kubeconfig,
  'init phase etcd local': 'cert-dir config dry-run image-repository patches',
  'init phase control-plane all': `${component} ${endpoint} feature-gates pod-network-cidr service-cidr
    apiserver-extra-args controller-manager-extra-args scheduler-extra-args`,
  'init phase control-plane apiserver': `${component} ${endpoint} feature-gates service-cidr apiserver-extra-args`,
  'init phase control-plane controller-manager': `${component} pod-network-cidr controller-manager-extra-args`,
  'init phase control-plane scheduler': `${component} scheduler-extra-args`,
  'init phase kubelet-start': 'config cri-socket dry-run image-repository node-name patches',
  // kubeadm's takes no flags and compares nothing; ours compares the manifests with the configuration, so it must be told of it.
  'init phase wait-control-plane': 'config',
  'init phase upload-config all': uploadConfig,
  'init phase upload-config kubeadm': uploadConfig,
  'init phase upload-config kubelet': uploadConfig,
  // Not kubeadm's.
  'init phase upload-config groundplane': 'config dry-run kubeconfig',
  'init phase upload-certs': 'certificate-key config dry-run kubeconfig skip-certificate-key-print upload-certs',
  'init phase mark-control-plane': 'config dry-run node-name',
  'init phase bootstrap-token': 'config dry-run kubeconfig skip-token-print',
  'init phase kubelet-finalize all': 'cert-dir config dry-run',
  'init phase kubelet-finalize enable-client-cert-rotation': 'cert-dir config dry-run',
  'init phase addon all': `${addon} ${endpoint} feature-gates pod-network-cidr`,
  'init phase addon coredns': `${addon} feature-gates print-manifest`,
  'init phase addon kube-proxy': `${endpoint} config dry-run image-repository kubeconfig kubernetes-version pod-network-cidr print-manifest`,
  // kubeadm's takes no flags and does not work alone; ours does, so it must be told what to show.
  'init phase show-join-command': 'certificate-key config skip-certificate-key-print skip-token-print',
};

const aliases: Readonly<Record<string, string>> = { 'init phase bootstrap-token': 'bootstraptoken' };

/** Every command of the `init` family with the flags it takes. */
export const initCommands: readonly CommandFlags[] = commandTable({ groups, leaves, aliases });
