import { type Clock, createBootstrap, type Entropy, type Finding, initWorkflow } from '@groundplane/bootstrap';
import { buildKubeconfig, controlPlaneEndpointUrl, stringifyKubeconfig } from '@groundplane/kubeconfig';
import { cloudConfig, octal } from './cloud-config.ts';
import { clusterDocuments, textOf } from './cluster-documents.ts';
import { type MachineDescription, machineToCome } from './machine-to-come.ts';
import { phasesAhead } from './phases-ahead.ts';

const initPath = '/etc/groundplane/init.yaml';
const joinPath = '/etc/groundplane/join.yaml';
const discoveryPath = '/etc/groundplane/discovery.conf';

export interface UserDataRequest {
  /** Text of the configuration: ClusterConfiguration, and whatever else `init` and `join` shall be told. */
  readonly configText: string;
  readonly controlPlane: MachineDescription;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export interface UserData {
  /** Secret: whoever has it has the cluster. */
  readonly controlPlane: string;
  /** The same for every worker. Secret: whoever has it can join. */
  readonly worker: string;
  /** What is doubtful about the configuration. */
  readonly warnings: readonly Finding[];
}

/**
 * Runs all phases of `init` that need no machine, and renders what they made as files of the machine to come, with one
 * command that does the rest there. Workers get the CA and a token, so all can be started at once.
 *
 * @throws GroundplaneError as `init` and `run` of `@groundplane/bootstrap` do
 */
export async function renderUserData(request: UserDataRequest): Promise<UserData> {
  const { clock, entropy } = request;
  const { name, address } = request.controlPlane;
  const { init, join, others } = clusterDocuments(request.configText);
  const told = {
    ...init,
    localAPIEndpoint: { ...(init.localAPIEndpoint as object), advertiseAddress: address },
    nodeRegistration: { ...(init.nodeRegistration as object), name },
  };

  const machine = machineToCome(request.controlPlane);
  const bootstrap = createBootstrap({ ports: { ...machine, clock, entropy } });
  const ahead = phasesAhead(initWorkflow);
  const prepared = await bootstrap.init({ configuration: textOf([...others, told]), selection: { only: ahead } });
  await prepared.run();

  const { context, warnings } = prepared;
  const { bootstrapTokens, localAPIEndpoint } = context.init;
  const { certificatesDir, clusterName, controlPlaneEndpoint } = context.cluster;
  // One that was made up here is made there.
  const token = bootstrapTokens[0]?.token ?? '';
  const made = machine.made();
  const files = made.flatMap(({ path, mode, content }) =>
    content === undefined ? [] : [{ path, mode, content: new TextDecoder().decode(content) }],
  );
  const folders = made.filter(({ content }) => content === undefined);
  const configuration = textOf([...others, { ...told, bootstrapTokens: init.bootstrapTokens ?? [{ token }] }]);
  const controlPlane = cloudConfig({
    files: [...files, { path: initPath, mode: 0o600, content: configuration }],
    commands: [
      ...folders.map(({ path, mode }) => ['install', '--directory', `--mode=${octal(mode)}`, path]),
      // What commands print stays in cloud-init's log.
      ['groundplane', 'init', `--config=${initPath}`, `--skip-phases=${ahead.join(',')}`, '--skip-token-print'],
    ],
  });

  const authority = files.find(({ path }) => path === `${certificatesDir}/ca.crt`)?.content;
  const server = controlPlaneEndpointUrl(controlPlaneEndpoint, localAPIEndpoint);
  const discovery = buildKubeconfig({ clusterName, server, certificateAuthority: authority, user: 'worker', token });
  const way = { file: { kubeConfigPath: discoveryPath }, tlsBootstrapToken: token };
  const worker = cloudConfig({
    files: [
      { path: discoveryPath, mode: 0o600, content: stringifyKubeconfig(discovery) },
      { path: joinPath, mode: 0o600, content: textOf([{ ...join, discovery: way }]) },
    ],
    commands: [['groundplane', 'join', `--config=${joinPath}`]],
  });
  return { controlPlane, worker, warnings };
}
