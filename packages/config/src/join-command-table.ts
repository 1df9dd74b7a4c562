import { type CommandFlags, commandTable } from './command-table.ts';

const groups: Readonly<Record<string, string>> = {
  'join phase': '',
  'join phase control-plane-join': '',
  'join phase control-plane-prepare': '',
};

const discovery = `discovery-file discovery-token discovery-token-ca-cert-hash discovery-token-unsafe-skip-ca-verification
  tls-bootstrap-token token`;
const controlPlane = 'config control-plane dry-run';
const endpoint = 'apiserver-advertise-address apiserver-bind-port';

/** Leaf command → flags (kubeadm 1.37, measured from its help). */
const leaves: Readonly<Record<string, string>> = {
  join: `${controlPlane} ${discovery} ${endpoint} certificate-key cri-socket ignore-preflight-errors node-name patches skip-phases`,
  'join phase preflight': `${controlPlane} ${discovery} ${endpoint} certificate-key cri-socket ignore-preflight-errors node-name`,
  'join phase control-plane-prepare all': `${controlPlane} ${discovery} ${endpoint} certificate-key node-name patches`,
  'join phase control-plane-prepare download-certs': `${controlPlane} ${discovery} certificate-key`,
  'join phase control-plane-prepare certs': `${controlPlane} ${discovery} apiserver-advertise-address node-name`,
  'join phase control-plane-prepare kubeconfig': `${controlPlane} ${discovery} certificate-key`,
  'join phase control-plane-prepare control-plane': `${controlPlane} ${endpoint} patches`,
  'join phase kubelet-start': `config dry-run ${discovery} cri-socket node-name patches`,
  'join phase etcd-join': `${controlPlane} apiserver-advertise-address node-name patches`,
  'join phase kubelet-wait-bootstrap': 'config cri-socket dry-run',
  'join phase control-plane-join all': `${controlPlane} apiserver-advertise-address node-name patches`,
  'join phase control-plane-join mark-control-plane': `${controlPlane} node-name`,
  'join phase wait-control-plane': '',
};

/**
 * Every command of the `join` family with the flags it takes. Those that discover may be told an endpoint; kubeadm's other phases
 * take one, too, and do nothing with it.
 */
export const joinCommands: readonly CommandFlags[] = commandTable({ groups, leaves }).map((row) =>
  row.group ? row : { ...row, argument: row.flags.includes('discovery-file') ? 'api-server-endpoint' : '' },
);
