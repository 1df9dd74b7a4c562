import { controlPlanePorts } from './control-plane-ports.ts';
import { compareVersions, isVersion } from './kubelet-version.ts';
import { occupiedHint, portCheck } from './port-check.ts';
import { answer, type PreflightCheck, pathName, type Verdict } from './preflight-check.ts';
import type { PreflightFacts } from './preflight-facts.ts';

/** kubeadm, constants.go: MinExternalEtcdVersion. */
const minimumEtcdVersion = '3.5.24-0';

/** Room for local etcd; the version and the client certificates of external etcd. */
export const etcdChecks: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_ETCD_VERSION',
    batch: 'node',
    hint: 'See whether etcd answers: curl --cacert CA --cert CERT --key KEY ENDPOINT/version',
    instances: ({ externalEtcd: { httpEndpoints, ...files } = { httpEndpoints: [] } }) =>
      httpEndpoints.length === 0
        ? []
        : [
            {
              name: 'ExternalEtcdVersion',
              needs: httpEndpoints.map((endpoint) => ({ fact: 'etcdVersion', endpoint, ...files })),
              evaluate: ({ etcdVersions }) => ({
                errors: httpEndpoints.flatMap((endpoint) => etcdErrors(endpoint, answer(etcdVersions?.[endpoint]))),
              }),
            },
          ],
  },
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
    hint: 'Move the old data away; if they were left by a node that is given up, clean up first: groundplane reset',
    instances: ({ localEtcd }) =>
      localEtcd === undefined
        ? []
        : [
            {
              name: pathName('DirAvailable', localEtcd.dataDir),
              needs: [{ fact: 'directory', path: localEtcd.dataDir }],
              evaluate: ({ directories }) => emptyDirectory(localEtcd.dataDir, directories?.[localEtcd.dataDir]),
            },
          ],
  },
  {
    code: 'PREFLIGHT_FILE_MISSING',
    batch: 'node',
    hint: 'Copy the client certificate of external etcd to this node',
    instances: ({ externalEtcd }) =>
      [externalEtcd?.caFile, externalEtcd?.certFile, externalEtcd?.keyFile]
        .filter((path) => path !== undefined)
        .map((path) => ({
          name: 'ExternalEtcdClientCertificates',
          needs: [{ fact: 'file', path }],
          evaluate: ({ files }) => (answer(files?.[path]) ? {} : { errors: [`${path} doesn't exist`] }),
        })),
  },
];

function emptyDirectory(path: string, names: NonNullable<PreflightFacts['directories']>[string]): Verdict {
  if (names === undefined) return {};
  if ('error' in names) return { errors: [`unable to check if ${path} is empty: ${names.error}`] };
  return names.length === 0 ? {} : { errors: [`${path} is not empty`] };
}

function etcdErrors(
  endpoint: string,
  answered: NonNullable<PreflightFacts['etcdVersions']>[string],
): readonly string[] {
  if ('error' in answered) return [`cannot learn the version of external etcd at ${endpoint}: ${answered.error}`];
  const { version } = answered;
  if (!isVersion(version)) return [`couldn't parse external etcd version ${JSON.stringify(version)} of ${endpoint}`];
  if (compareVersions(version, minimumEtcdVersion) >= 0) return [];
  return [
    `only external etcd of version >= ${minimumEtcdVersion} is supported. Current version of ${endpoint}: ${version}`,
  ];
}
