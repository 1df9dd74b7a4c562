import {
  formatIpAddress,
  formatSubnet,
  kubernetesVersions,
  parseIpAddress,
  parseSubnets,
  subnetAddress,
} from '@groundplane/config';
import {
  type ControlPlaneComponent,
  controlPlaneComponents,
  imageReferences,
  renderStaticPod,
} from '@groundplane/controlplane';
import { errorsOf, type Finding, hasErrors, messageOf } from '@groundplane/errors';
import {
  controlPlanePorts,
  initPreflightChecks,
  type PreflightConfiguration,
  requiredFacts,
  runPreflight,
} from '@groundplane/kubelet';
import { type Pod, stringifyYaml } from '@groundplane/manifest';
import { type AnyPhase, contract, type Host, optional, type Runtime } from '@groundplane/phases';
import { certificateArtifactsOf, etcdDataDirectory, kubeletConfigFile, staticPods } from './artifacts.ts';
import { bootstrapError } from './error-codes.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { gatherPreflightFacts } from './preflight-facts.ts';
import { controlPlaneFactsOf, mayStillSign } from './static-pod-phases.ts';

const authority = certificateArtifactsOf('ca');

const reads = {
  authority: optional(authority.certificate),
  authorityKey: optional(authority.key),
  etcd: optional(staticPods.etcd),
  'kube-apiserver': optional(staticPods['kube-apiserver']),
  'kube-controller-manager': optional(staticPods['kube-controller-manager']),
  'kube-scheduler': optional(staticPods['kube-scheduler']),
  dataDirectory: optional(etcdDataDirectory),
  kubeletConfig: optional(kubeletConfigFile),
};

type Inputs = {
  readonly authority: string | undefined;
  readonly authorityKey: string | undefined;
  readonly kubeletConfig: string | undefined;
} & Readonly<Record<ControlPlaneComponent, Pod | undefined>>;

/** How often pulling one image is tried (kubeadm: constants.go). */
const pullAttempts = 5;

/**
 * Checks the machine before anything is written, and brings the images (kubeadm: preflight). What is ours already, because a run before
 * this one made it, is no obstacle: the rows that ask for its absence are left out.
 */
export const preflightPhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'preflight',
  summary: 'Run pre-flight checks',
  configuration: ['nodeRegistration', 'localAPIEndpoint', 'networking', 'kubernetesVersion', 'etcd'],
  reads,
  uses: ['host', 'runtime', 'clock'],
  verifyOnlyAtTurn: true,
  async verify({ config, inputs, ports: { host, runtime } }) {
    const findings = await check(config, inputs, host, runtime);
    if (hasErrors(findings)) return findings;
    return [...findings, ...(await missingImages(config, runtime)).map((image) => missingImage(image, config))];
  },
  async run({ config, inputs, ports: { host, runtime }, progress, finding }) {
    const findings = await check(config, inputs, host, runtime);
    const errors = errorsOf(findings);
    if (errors.length > 0) {
      for (const warning of findings.filter(({ severity }) => severity === 'warning')) finding(warning);
      throw bootstrapError(
        'BOOTSTRAP_PREFLIGHT_FAILED',
        `Cannot use this machine as ${errors.length} of its pre-flight checks failed`,
        {
          findings: errors,
          hint: 'If you know what you are doing, you can make a check non-fatal with --ignore-preflight-errors=NAME',
        },
      );
    }
    for (const warning of findings) finding(warning);
    await pullImages(config, runtime, progress, finding);
  },
});

async function check(config: InitContext, inputs: Inputs, host: Host, runtime: Runtime): Promise<readonly Finding[]> {
  const configuration = preflightConfigurationOf(config);
  const satisfied = await satisfiedChecks(config, inputs, host);
  const options = { ignore: config.ignorePreflightErrors, satisfied };
  const declared = new Set([...controlPlaneComponents.map((name) => `${configuration.manifestsDir}/${name}.yaml`)]);
  const facts = await gatherPreflightFacts(requiredFacts(initPreflightChecks, configuration, options), {
    host,
    runtime,
    // Files of external etcd are not ours to manage; the machine is asked for them like for any fact.
    exists: async (path) =>
      declared.has(path)
        ? (await host.files.status(path)) !== undefined
        : (await host.facts.kernelFile(path)) !== undefined,
    list: (path) => host.files.list(path),
  });
  return runPreflight(initPreflightChecks, configuration, facts, options);
}

/** Ports, and for etcd its folder, that belong to each static pod. */
const checksOfComponents: Readonly<
  Record<ControlPlaneComponent, (configuration: PreflightConfiguration) => readonly string[]>
> = {
  etcd: ({ localEtcd }) => [
    `Port-${controlPlanePorts.etcdClient}`,
    `Port-${controlPlanePorts.etcdPeer}`,
    ...(localEtcd === undefined ? [] : [`DirAvailable-${localEtcd.dataDir.replaceAll('/', '-')}`]),
  ],
  'kube-apiserver': ({ bindPort }) => [`Port-${bindPort}`],
  'kube-controller-manager': () => [`Port-${controlPlanePorts.controllerManager}`],
  'kube-scheduler': () => [`Port-${controlPlanePorts.scheduler}`],
};

/** Names of the checks that ask for the absence of something that is ours: its manifest is the one that we would write. */
async function satisfiedChecks(config: InitContext, inputs: Inputs, host: Host): Promise<ReadonlySet<string>> {
  const configuration = preflightConfigurationOf(config);
  const facts = controlPlaneFactsOf(config, mayStillSign(inputs));
  const names = new Set<string>();
  for (const component of controlPlaneComponents) {
    const existing = inputs[component];
    if (existing === undefined || stringifyYaml(existing) !== stringifyYaml(renderStaticPod(component, facts)))
      continue;
    const path = `${configuration.manifestsDir}/${component}.yaml`;
    names.add(`FileAvailable-${path.replaceAll('/', '-')}`);
    for (const name of checksOfComponents[component](configuration)) names.add(name);
  }
  if (inputs.kubeletConfig !== undefined && (await host.services.status('kubelet')).active) names.add('Port-10250');
  return names;
}

export function preflightConfigurationOf(context: InitContext): PreflightConfiguration {
  const { init, cluster } = context;
  const { advertiseAddress, bindPort } = init.localAPIEndpoint;
  const bindAddress = (component: {
    readonly extraArgs: readonly { readonly name: string; readonly value: string }[];
  }) => component.extraArgs.findLast(({ name }) => name === 'bind-address')?.value;
  const subnets = [cluster.networking.serviceSubnet, cluster.networking.podSubnet].flatMap((text) =>
    text === '' ? [] : (parseSubnets(text) ?? []),
  );
  const address = parseIpAddress(advertiseAddress);
  const families = new Set([
    ...subnets.map(({ family }) => family),
    ...(address === undefined ? [] : [address.family]),
  ]);
  const { local, external } = cluster.etcd;
  const etcdAddress =
    cluster.apiServer.extraArgs.findLast(({ name }) => name === 'advertise-address')?.value ?? advertiseAddress;
  const given = <K extends string>(key: K, value: string | undefined) =>
    value === undefined ? {} : ({ [key]: value } as Record<K, string>);
  return {
    kubernetesVersion: cluster.kubernetesVersion,
    toolVersion: kubernetesVersions.newest,
    minimumKubeletVersion: kubernetesVersions.minimumKubelet,
    nodeName: init.nodeRegistration.name,
    advertiseAddress,
    bindPort,
    bindAddresses: {
      ...given('apiServer', bindAddress(cluster.apiServer)),
      ...given('scheduler', bindAddress(cluster.scheduler)),
      ...given('controllerManager', bindAddress(cluster.controllerManager)),
    },
    subnets: subnets.map((subnet) => {
      const first = subnetAddress(subnet, 1);
      return { cidr: formatSubnet(subnet), firstAddress: first === undefined ? '' : formatIpAddress(first) };
    }),
    families: [...families],
    manifestsDir: `${layoutOf(context).kubernetes}/manifests`,
    ...(external === undefined
      ? { localEtcd: { dataDir: local?.dataDir ?? '/var/lib/etcd', address: etcdAddress } }
      : {
          externalEtcd: { files: [external.caFile, external.certFile, external.keyFile].filter((path) => path !== '') },
        }),
  };
}

/** The images that the control plane of this node needs. */
function neededImages(config: InitContext): readonly string[] {
  return imageReferences(controlPlaneFactsOf(config, true));
}

async function missingImages(config: InitContext, runtime: Runtime): Promise<readonly string[]> {
  const { imagePullPolicy } = config.init.nodeRegistration;
  if (imagePullPolicy === 'Never' || isIgnored(config, 'ImagePull')) return [];
  const images = neededImages(config);
  if (imagePullPolicy === 'Always') return images;
  const present = await Promise.all(images.map((image) => runtime.imageExists(image)));
  return images.filter((_, index) => present[index] !== true);
}

function isIgnored({ ignorePreflightErrors }: InitContext, name: string): boolean {
  return ignorePreflightErrors.includes('all') || ignorePreflightErrors.includes(name.toLowerCase());
}

function missingImage(image: string, config: InitContext): Finding {
  return {
    code: 'BOOTSTRAP_IMAGE_MISSING',
    // With the policy Always the runtime decides anew each time; what it has is no error afterwards.
    severity: config.init.nodeRegistration.imagePullPolicy === 'Always' ? 'warning' : 'error',
    artifact: 'ImagePull',
    message: `the image ${image} is not on this machine`,
  };
}

async function pullImages(
  config: InitContext,
  runtime: Runtime,
  progress: (message: string) => void,
  finding: (finding: Finding) => void,
): Promise<void> {
  const images = await missingImages(config, runtime);
  if (images.length === 0) return;
  progress(`Pulling ${images.length} images required for setting up a Kubernetes cluster`);
  const pull = (image: string) => pullOne(image, runtime, progress);
  const failures: string[] = [];
  if (config.init.nodeRegistration.imagePullSerial === false)
    failures.push(...(await Promise.all(images.map(pull))).flat());
  else for (const image of images) failures.push(...(await pull(image)));
  if (failures.length === 0) return;
  const findings = failures.map(
    (message): Finding => ({ code: 'PREFLIGHT_IMAGE_PULL', severity: 'error', artifact: 'ImagePull', message }),
  );
  for (const one of findings) finding(one);
  throw bootstrapError(
    'BOOTSTRAP_PREFLIGHT_FAILED',
    `Cannot use this machine as ${failures.length} images could not be pulled`,
    {
      findings,
      hint: 'Import the images into the runtime, or pull them yourself: config images pull',
    },
  );
}

/** @returns the failures: none, or one text */
async function pullOne(
  image: string,
  runtime: Runtime,
  progress: (message: string) => void,
): Promise<readonly string[]> {
  let failure = '';
  for (let attempt = 1; attempt <= pullAttempts; attempt++) {
    try {
      await runtime.pullImage(image);
      progress(`Pulled ${image}`);
      return [];
    } catch (error) {
      failure = messageOf(error);
    }
  }
  return [`failed to pull image ${image}: ${failure}`];
}
