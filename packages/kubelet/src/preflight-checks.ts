import { commonChecks } from './common-checks.ts';
import { minorOf } from './kubelet-version.ts';
import { answer, type CheckInstance, type PreflightCheck, pathName } from './preflight-check.ts';
import { portKey } from './preflight-facts.ts';
import { httpsProxyForHost } from './proxy-for-host.ts';

/** kubeadm, constants.go. */
const minimumCpus = 2;
const minimumMemoryMiB = 1700;
export const controlPlanePorts = {
  scheduler: 10259,
  controllerManager: 10257,
  etcdClient: 2379,
  etcdPeer: 2380,
} as const;
const kubeletPort = 10250;
/** Any port will do to ask whether a proxy is used; kubeadm asks with this one. */
const proxyProbePort = '1234';

const staticPods = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'] as const;

/** A check that a TCP port is free, on all addresses unless one is given. */
export function portCheck(port: number, address?: string): CheckInstance {
  return {
    name: `Port-${port}`,
    needs: [address === undefined ? { fact: 'port', port } : { fact: 'port', port, address }],
    evaluate: ({ ports }) => (answer(ports?.[portKey(port, address)]) ? {} : { errors: [`Port ${port} is in use`] }),
  };
}

const occupiedHint = 'See who listens with `ss -ltnp`; on a node that was set up before run `reset` first';

/** Only root may set up a node. Runs alone, so that others see no follow-up errors. */
const privilegedUser: PreflightCheck = {
  code: 'PREFLIGHT_USER',
  batch: 'root',
  hint: 'Run the command with sudo',
  instances: () => [
    {
      name: 'IsPrivilegedUser',
      needs: [{ fact: 'uid' }],
      evaluate: ({ uid }) => (answer(uid) === 0 ? {} : { errors: ['user is not running as root'] }),
    },
  ],
};

const beforeCommon: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_CPUS',
    batch: 'node',
    instances: () => [
      {
        name: 'NumCPU',
        needs: [{ fact: 'cpus' }],
        evaluate: ({ cpus }) =>
          answer(cpus) >= minimumCpus
            ? {}
            : { errors: [`the number of available CPUs ${cpus} is less than the required ${minimumCpus}`] },
      },
    ],
  },
  {
    code: 'PREFLIGHT_MEMORY',
    batch: 'node',
    instances: () => [
      {
        name: 'Mem',
        needs: [{ fact: 'memoryMiB' }],
        evaluate: ({ memoryMiB }) =>
          Math.floor(answer(memoryMiB)) >= minimumMemoryMiB
            ? {}
            : {
                errors: [
                  `the system RAM (${Math.floor(answer(memoryMiB))} MB) is less than the minimum ${minimumMemoryMiB} MB`,
                ],
              },
      },
    ],
  },
  {
    code: 'PREFLIGHT_KUBERNETES_VERSION',
    batch: 'node',
    instances: ({ kubernetesVersion, toolVersion }) => [
      {
        name: 'KubernetesVersion',
        needs: [],
        evaluate: () => {
          const wanted = minorOf(kubernetesVersion);
          const known = minorOf(toolVersion);
          const newer = wanted.major > known.major || (wanted.major === known.major && wanted.minor > known.minor);
          return newer
            ? {
                warnings: [
                  `Kubernetes version ${kubernetesVersion} is newer than this program knows (${known.major}.${known.minor}.x)`,
                ],
              }
            : {};
        },
      },
    ],
  },
  {
    code: 'PREFLIGHT_FIREWALL',
    batch: 'node',
    instances: ({ bindPort }) => [
      {
        name: 'Firewalld',
        needs: [{ fact: 'service', name: 'firewalld' }],
        evaluate: ({ services }) => {
          const service = answer(services?.firewalld);
          if (service.initSystem === 'none')
            return { warnings: ['no supported init system was found, services are not checked'] };
          if (!service.exists || !service.active) return {};
          return {
            warnings: [
              `firewalld is active, please ensure ports [${bindPort} ${kubeletPort}] are open or your cluster may not function correctly`,
            ],
          };
        },
      },
    ],
  },
  {
    code: 'PREFLIGHT_PORT',
    batch: 'node',
    firstRunOnly: true,
    hint: occupiedHint,
    instances: ({ bindPort, bindAddresses }) => [
      portCheck(bindPort, bindAddresses.apiServer),
      portCheck(controlPlanePorts.scheduler, bindAddresses.scheduler),
      portCheck(controlPlanePorts.controllerManager, bindAddresses.controllerManager),
    ],
  },
  {
    code: 'PREFLIGHT_FILE_EXISTS',
    batch: 'node',
    firstRunOnly: true,
    hint: 'On a node that was set up before run `reset` first',
    instances: ({ manifestsDir }) =>
      staticPods.map((pod) => {
        const path = `${manifestsDir}/${pod}.yaml`;
        return {
          name: pathName('FileAvailable', path),
          needs: [{ fact: 'file', path }],
          evaluate: ({ files }) => (answer(files?.[path]) ? { errors: [`${path} already exists`] } : {}),
        };
      }),
  },
  {
    code: 'PREFLIGHT_PROXY',
    batch: 'node',
    hint: 'Add the address to NO_PROXY',
    instances: ({ advertiseAddress }) => [
      {
        name: 'HTTPProxy',
        needs: [{ fact: 'proxyEnvironment' }],
        evaluate: ({ proxyEnvironment }) => {
          const proxy = httpsProxyForHost(answer(proxyEnvironment), advertiseAddress);
          return proxy === undefined
            ? {}
            : {
                warnings: [
                  `Connection to "https://${advertiseAddress}" uses proxy "${proxy}". If that is not intended, adjust your proxy settings`,
                ],
              };
        },
      },
    ],
  },
  {
    code: 'PREFLIGHT_PROXY',
    batch: 'node',
    hint: 'Add the address range to NO_PROXY',
    instances: ({ subnets }) =>
      subnets.map(({ cidr, firstAddress }) => ({
        name: 'HTTPProxyCIDR',
        needs: [{ fact: 'proxyEnvironment' }],
        evaluate: ({ proxyEnvironment }) => {
          const proxy = httpsProxyForHost(answer(proxyEnvironment), firstAddress, proxyProbePort);
          return proxy === undefined
            ? {}
            : {
                warnings: [
                  `connection to "${cidr}" uses proxy "${proxy}". This may lead to malfunctional cluster setup: exempt Pod and Service IP ranges in the proxy configuration`,
                ],
              };
        },
      })),
  },
];

const forwardingFiles = {
  ipv4: '/proc/sys/net/ipv4/ip_forward',
  ipv6: '/proc/sys/net/ipv6/conf/default/forwarding',
} as const;

const afterCommon: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_FORWARDING',
    batch: 'node',
    hint: 'Set it with `sysctl -w` and in /etc/sysctl.d',
    instances: ({ families }) =>
      (['ipv4', 'ipv6'] as const)
        .filter((family) => families.includes(family))
        .map((family) => {
          const path = forwardingFiles[family];
          return {
            name: pathName('FileContent', path),
            needs: [{ fact: 'text', path }],
            evaluate: ({ texts }) => {
              const text = texts?.[path];
              if (text === undefined) return { errors: [`${path} does not exist`] };
              return text.startsWith('1') ? {} : { errors: [`${path} contents are not set to 1`] };
            },
          };
        }),
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
    hint: 'Move the old data away; on a node that was set up before run `reset` first',
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

/**
 * The checks of `init` before it changes anything, in kubeadm's order (kubeadm, preflight/checks.go, InitNodeChecks).
 * The version of external etcd and the image pull need connections and are not among them.
 */
export const initPreflightChecks: readonly PreflightCheck[] = [
  privilegedUser,
  ...beforeCommon,
  ...commonChecks,
  ...afterCommon,
];
