import { commonChecks } from './common-checks.ts';
import { controlPlaneChecks, privilegedUser } from './control-plane-checks.ts';
import { etcdChecks } from './etcd-checks.ts';
import { fileAvailableCheck, fileAvailableRow } from './file-available-check.ts';
import { forwardingChecks, proxyChecks } from './network-checks.ts';
import { networkOverlapChecks } from './network-overlap-checks.ts';
import { answer, type PreflightCheck } from './preflight-check.ts';

/** The checks of `init` before it changes anything, in kubeadm's order (kubeadm, preflight/checks.go, InitNodeChecks). */
export const initPreflightChecks: readonly PreflightCheck[] = [
  privilegedUser,
  ...controlPlaneChecks,
  ...proxyChecks,
  ...commonChecks,
  ...forwardingChecks,
  ...etcdChecks,
  ...networkOverlapChecks,
];

/** What every join looks at before anything else, and alone: only root may do it. */
export const rootChecks: readonly PreflightCheck[] = [privilegedUser];

/** The checks of `join` on a worker, in kubeadm's order (kubeadm, preflight/checks.go, JoinNodeChecks). */
export const joinPreflightChecks: readonly PreflightCheck[] = [
  ...rootChecks,
  { ...fileAvailableRow, instances: ({ join }) => (join?.kubeconfigs ?? []).map(fileAvailableCheck) },
  ...commonChecks,
  {
    ...fileAvailableRow,
    instances: ({ join }) => (join?.authority === undefined ? [] : [fileAvailableCheck(join.authority)]),
  },
  ...proxyChecks,
  ...forwardingChecks,
];

/** What `init` does last before it begins: the images are brought, and those that could not be are told (kubeadm, RunPullImagesCheck). */
export const imagePullChecks: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_IMAGE_PULL',
    batch: 'images',
    hint: 'Import the images into the runtime, or pull them yourself: crictl pull IMAGE',
    instances: ({ imagePullPolicy }) =>
      imagePullPolicy === 'Never'
        ? []
        : [
            {
              name: 'ImagePull',
              needs: [{ fact: 'images' }],
              evaluate: ({ images }) => ({ errors: answer(images).failures }),
            },
          ],
  },
];
