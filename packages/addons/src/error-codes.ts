import type { Finding } from '@groundplane/errors';

/** Verdicts on what a cluster holds where the addons go. */
export const addonFindingCodes = {
  ADDONS_DNS_OTHER: 'A Deployment other than ours has the label of the cluster DNS',
  ADDONS_DNS_SERVICE_ADDRESS: 'The Service kube-dns has another address than the one that kubelets are told',
  ADDONS_DNS_ADDRESS_TAKEN: 'Another Service has the address of the cluster DNS',
  ADDONS_COREFILE_KEPT: 'The Corefile was changed by somebody, and stays',
  ADDONS_COREDNS_KEPT: 'CoreDNS stays as old as a changed Corefile',
} as const;

export type AddonFindingCode = keyof typeof addonFindingCodes;

/** A verdict with a code of the table. */
export function addonFinding(finding: Finding & { readonly code: AddonFindingCode }): Finding {
  return finding;
}
