import { commonChecks } from './common-checks.ts';
import { controlPlaneChecks, privilegedUser } from './control-plane-checks.ts';
import { etcdChecks } from './etcd-checks.ts';
import { forwardingChecks, proxyChecks } from './network-checks.ts';
import type { PreflightCheck } from './preflight-check.ts';

/**
 * The checks of `init` before it changes anything, in kubeadm's order (kubeadm, preflight/checks.go, InitNodeChecks).
 * The version of external etcd and the image pull need connections and are not among them.
 */
export const initPreflightChecks: readonly PreflightCheck[] = [
  privilegedUser,
  ...controlPlaneChecks,
  ...proxyChecks,
  ...commonChecks,
  ...forwardingChecks,
  ...etcdChecks,
];
