import { controlPlanePorts } from './control-plane-ports.ts';
import { occupiedHint, portCheck } from './port-check.ts';
import { answer, type PreflightCheck, pathName } from './preflight-check.ts';

/** Room for local etcd, or the certificates of external etcd. */
export const etcdChecks: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_PORT',
    batch: 'node',
    firstRunOnly: true,
    hint: occupiedHint,
    instances: ({ localEtcd }) =>
      localEtcd === undefined
        ? []
        : [
            portCheck(controlPlanePorts.etcdClient, localEtcd.address),
            portCheck(controlPlanePorts.etcdPeer, localEtcd.address),
          ],
  },
  {
    code: 'PREFLIGHT_DIRECTORY_NOT_EMPTY',
    batch: 'node',
    firstRunOnly: true,
    hint: 'Move the old data away; on a node that was set up before, clean up first: kubeadm reset',
    instances: ({ localEtcd }) =>
      localEtcd === undefined
        ? []
        : [
            {
              name: pathName('DirAvailable', localEtcd.dataDir),
              needs: [{ fact: 'directory', path: localEtcd.dataDir }],
              evaluate: ({ directories }) =>
                (directories?.[localEtcd.dataDir] ?? []).length === 0
                  ? {}
                  : { errors: [`${localEtcd.dataDir} is not empty`] },
            },
          ],
  },
  {
    code: 'PREFLIGHT_FILE_MISSING',
    batch: 'node',
    hint: 'Copy the client certificate of external etcd to this node',
    instances: ({ externalEtcd }) =>
      (externalEtcd?.files ?? []).map((path) => ({
        name: 'ExternalEtcdClientCertificates',
        needs: [{ fact: 'file', path }],
        evaluate: ({ files }) => (answer(files?.[path]) ? {} : { errors: [`${path} doesn't exist`] }),
      })),
  },
];
