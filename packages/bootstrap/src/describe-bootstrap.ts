import {
  type FlagValues,
  readInitConfiguration,
  readJoinConfiguration,
  readStoredConfiguration,
  resolveJoinConfiguration,
} from '@groundplane/config';
import { buildKubeconfig, stringifyKubeconfig, tlsBootstrapUser } from '@groundplane/kubeconfig';
import { describeWorkflow, type Host, type SuppliedPorts, type WorkflowDescription } from '@groundplane/phases';
import { absolutePath } from './absolute-path.ts';
import { anyCluster, anyKubelet } from './default-documents.ts';
import { describedMachine, exampleNode } from './described-machine.ts';
import { bootstrapError } from './error-codes.ts';
import { asItIs, type ExtendWorkflow } from './extend-workflow.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';
import { type JoinContext, joinContextOf, joinLayoutOf } from './join-context.ts';
import { joinWorkflow } from './join-workflow.ts';
import { machineFacts } from './machine-facts.ts';
import { patchesIn } from './read-patches-directory.ts';
import { type ResetContext, resetLayoutOf } from './reset-context.ts';
import { resetWorkflow } from './reset-workflow.ts';
import { resolveInit } from './resolve-init.ts';
import { resolveReset } from './resolve-reset.ts';

export interface DescribeRequest {
  /** Name of the workflow. @default 'init' */
  readonly workflow?: string | undefined;
  /** Text of a configuration file; without one kubeadm's defaults on an example node count. */
  readonly configText?: string | undefined;
  /** This machine, for what the file leaves open; without a file it is not looked at. */
  readonly host?: Host | undefined;
  /** Absolute path of the folder from which relative paths of the configuration count. @default '/' */
  readonly workingDirectory?: string;
  /** @default the workflows have no phases of others */
  readonly extend?: ExtendWorkflow;
}

/**
 * The interface of every phase of a workflow with the values of one configuration: what another tool has to make. It needs neither root
 * nor the network, and does not depend on what is on this machine already.
 *
 * @throws GroundplaneError of kind usage, with all problems of the configuration as findings; BOOTSTRAP_WORKFLOW_UNKNOWN
 */
export async function describeBootstrap({
  workflow = initWorkflow.name,
  ...request
}: DescribeRequest = {}): Promise<WorkflowDescription> {
  const describe = describers[workflow];
  if (describe === undefined) {
    const known = Object.keys(describers).join(', ');
    throw bootstrapError('BOOTSTRAP_WORKFLOW_UNKNOWN', `Cannot describe a workflow of this name: ${workflow}`, {
      hint: `There are ${known}`,
    });
  }
  return describe(request);
}

type Request = Omit<DescribeRequest, 'workflow'>;

const describers: Readonly<Record<string, (request: Request) => Promise<WorkflowDescription>>> = {
  [initWorkflow.name]: async (request) => {
    const config = await describedInit(request);
    return describeWorkflow(await extending(request)(initWorkflow), { layout: layoutOf(config), config });
  },
  [joinWorkflow.name]: async (request) => {
    const config = await describedJoin(request);
    return describeWorkflow(await extending(request)(joinWorkflow), { layout: joinLayoutOf(config), config });
  },
  [resetWorkflow.name]: async (request) => {
    const config = await describedReset(request);
    return describeWorkflow(await extending(request)(resetWorkflow), { layout: resetLayoutOf(config), config });
  },
};

function extending({ extend = asItIs }: Request): ExtendWorkflow {
  return extend;
}

/** Folders of a cluster's state that no configuration moves. */
const fixedDirectories = ['/etc/kubernetes', '/var/lib/kubelet'] as const;

/** The context of init as phases are described with it. */
export async function describedInit({ configText, host, workingDirectory = '/' }: Request = {}): Promise<InitContext> {
  // The example shows what is there to be asked for.
  const flags: FlagValues = configText === undefined ? { 'upload-certs': true } : {};
  const read = readInitConfiguration(configText, { flags });
  const { cluster, run } = read;
  const ports = describedMachine({
    host: configText === undefined ? undefined : host,
    stateDirectories: [
      ...fixedDirectories,
      cluster.certificatesDir,
      ...(cluster.etcd.local === undefined ? [] : [cluster.etcd.local.dataDir]),
    ],
    patchesDirectory: run.patchesDirectory && absolutePath(run.patchesDirectory, workingDirectory),
  });
  return (await resolveInit({ configText, flags, read, ports, workingDirectory })).context;
}

const exampleToken = 'abcdef.0123456789abcdef';
const exampleServer = `${exampleNode.address}:6443`;
const exampleDiscovery: FlagValues = { token: exampleToken, 'discovery-token-unsafe-skip-ca-verification': true };

/**
 * The context of join as phases are described with it. What the cluster says is not known: it is taken for one with kubeadm's defaults,
 * and nothing that is described depends on its CA or on secrets.
 */
export async function describedJoin({ configText, host, workingDirectory = '/' }: Request = {}): Promise<JoinContext> {
  const example = { flags: exampleDiscovery, endpoint: exampleServer };
  const read = readJoinConfiguration(configText, configText === undefined ? example : {});
  const { patchesDirectory } = read.run;
  const ports = describedMachine({
    host: configText === undefined ? undefined : host,
    stateDirectories: fixedDirectories,
    patchesDirectory: patchesDirectory && absolutePath(patchesDirectory, workingDirectory),
  });
  const { facts } = ports.host;
  const [hostName, addresses, criSockets, machine, { patches }] = await Promise.all([
    facts.hostName(),
    facts.addresses(),
    facts.sockets([]),
    machineFacts(ports.host, { command: joinWorkflow.name, looksOnly: true }),
    patchesIn(patchesDirectory, { host: ports.host, workingDirectory }),
  ]);
  const { configuration: join } = resolveJoinConfiguration(read, { hostName, addresses, criSockets });
  const stored = readStoredConfiguration({ cluster: anyCluster, kubelet: anyKubelet });
  const server = `https://${join.discovery.bootstrapToken?.apiServerEndpoint || exampleServer}`;
  const kubeconfig = buildKubeconfig({ clusterName: stored.cluster.clusterName, server, user: tlsBootstrapUser });
  return joinContextOf(join, {
    cluster: {
      server,
      certificateAuthority: '',
      bootstrapKubeconfig: stringifyKubeconfig(kubeconfig),
      stored,
      findings: [],
    },
    machine: { ...machine, hostName: hostName.trim().toLowerCase() },
    patches,
    ignorePreflightErrors: read.run.ignorePreflightErrors,
  });
}

/** The context of reset as phases are described with it. */
export async function describedReset({ configText, host }: Request = {}): Promise<ResetContext> {
  const ports: SuppliedPorts = describedMachine({
    host: configText === undefined ? undefined : host,
    stateDirectories: [...fixedDirectories, '/var/lib/etcd'],
  });
  return (await resolveReset({ configText, ports })).context;
}
