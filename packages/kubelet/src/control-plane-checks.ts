import { controlPlanePorts } from './control-plane-ports.ts';
import { fileAvailableCheck, fileAvailableRow } from './file-available-check.ts';
import { minorOf } from './kubelet-version.ts';
import { occupiedHint, portCheck } from './port-check.ts';
import { answer, type PreflightCheck } from './preflight-check.ts';

/** kubeadm, constants.go. */
const minimumCpus = 2;
const minimumMemoryMiB = 1700;
const kubeletPort = 10250;

const staticPods = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'] as const;

/** Only root may set up a node. Runs alone, so that others see no follow-up errors. */
export const privilegedUser: PreflightCheck = {
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

/** What a control plane node needs: size, version, ports, and no manifests of another control plane. */
export const controlPlaneChecks: readonly PreflightCheck[] = [
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
    ...fileAvailableRow,
    instances: ({ manifestsDir }) => staticPods.map((pod) => fileAvailableCheck(`${manifestsDir}/${pod}.yaml`)),
  },
];
