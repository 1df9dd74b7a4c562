import {
  type CertificateInventory,
  certificateExpirations,
  certificateInventory,
  webCryptoSigner,
} from '@groundplane/bootstrap';
import type { Finding } from '@groundplane/errors';
import { dataFormat } from '../arguments/data-format.ts';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { type NodeHost, nodeHost, pathFlag } from '../node-host.ts';
import { givenConfig, namingFile } from '../read-config-file.ts';
import { sourceText } from '../render/configuration-source.ts';
import { expirationTables } from '../render/expiration-tables.ts';
import { objectPrinter } from '../render/object-printer.ts';
import { failedDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { loadKubeconfig } from '../tokens/kubeconfig-files.ts';

/**
 * `certs check-expiration`: kubeadm's tables, or the object of its output API. What cannot be read stands there as missing, and the rest is told.
 *
 * @throws GroundplaneError CLI_CERTIFICATES_UNREADABLE after all else was printed, CLI_FLAG_VALUE for a format that does not exist, those of the configuration
 */
export async function checkExpiration(invocation: Invocation): Promise<void> {
  const node = await nodeHost(invocation);
  const print = await objectPrinter(invocation, node, {
    subject: 'certificate expiration information',
    type: 'certs-check-expiration',
  });
  const { path, text: configText } = await givenConfig(invocation, node);
  const kubeconfig = path === undefined ? await usableKubeconfig(invocation, node) : undefined;
  const folder = pathFlag(invocation, node, 'cert-dir');
  const inventory = await namingFile(path, () =>
    certificateInventory({
      ports: localPorts({ node, criSocket: () => '', signer: webCryptoSigner() }),
      configText,
      kubeconfig,
      certificatesDir: path === undefined ? folder : undefined,
      workingDirectory: node.absolute('.'),
      role: 'control-plane',
      now: new Date(),
    }),
  );
  const info = certificateExpirations(inventory);
  const isText = (textFlag(invocation, 'output') ?? 'text') === 'text';
  printWarnings(invocation, [
    ...(path !== undefined && folder !== undefined ? [ignoredFolder(path)] : []),
    ...withoutCertificate(inventory),
  ]);
  if (isText) tellSource(invocation, inventory, kubeconfig !== undefined);
  const failure = unreadable(inventory);
  const object = { ...info };
  if (failure !== undefined && dataFormat(invocation.flags.output) === 'json')
    throw failedDocument(invocation, object, failure);
  invocation.output.stdout(print(object, () => expirationTables(info)));
  if (failure !== undefined) throw failure;
}

/** The text of the kubeconfig to ask with. That there is none, or none that can be used, is no reason to stop: certificates expire without a cluster. */
async function usableKubeconfig(invocation: Invocation, node: NodeHost): Promise<string | undefined> {
  const path = node.absolute(textFlag(invocation, 'kubeconfig') || '/etc/kubernetes/admin.conf');
  try {
    const file = await node.host.files.read(path);
    if (file === undefined) return undefined;
    return (await loadKubeconfig({ path, text: new TextDecoder().decode(file.bytes) }, node)).text;
  } catch {
    return undefined;
  }
}

/** Where it was looked, for people: kubeadm's lines on stdout (cmd/certs.go, getInternalCfg), or ours on stderr. */
function tellSource(
  { program, output }: Invocation,
  { configuration, certificatesDir }: CertificateInventory,
  isClusterAsked: boolean,
): void {
  if (program !== 'kubeadm') {
    if (configuration !== 'file') output.stderr(`Certificates in ${certificatesDir}, ${sourceText(configuration)}\n`);
    return;
  }
  if (!isClusterAsked) return;
  const lines = [
    'Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...',
    "Use 'kubeadm init phase upload-config kubeadm --config your-config-file' to re-upload it.",
    ...(configuration === 'cluster'
      ? []
      : ['Error reading configuration from the Cluster. Falling back to default configuration']),
  ];
  output.stdout(`${lines.map((line) => `[check-expiration] ${line}\n`).join('')}\n`);
}

function ignoredFolder(path: string): Finding {
  return {
    code: 'CLI_FLAG_WITHOUT_EFFECT',
    severity: 'warning',
    artifact: '--cert-dir',
    message: `--cert-dir has no effect beside --config: certificatesDir of ${path} counts`,
  };
}

/** Users of kubeconfigs may have other credentials than certificates, of which kubeadm's tables know nothing. */
function withoutCertificate({ entries }: CertificateInventory): readonly Finding[] {
  return entries
    .filter(({ renewable, state }) => renewable && state === 'without-certificate')
    .map(({ path, reason }) => ({
      code: 'CLI_CERTIFICATE_ABSENT',
      severity: 'warning',
      artifact: path,
      message: `${path} is listed as missing as ${reason}`,
    }));
}

function unreadable({ entries }: CertificateInventory) {
  const unread = entries.filter(({ renewable, state }) => renewable && state === 'unreadable');
  if (unread.length === 0) return undefined;
  const reasons = unread.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
  return cliError(
    'CLI_CERTIFICATES_UNREADABLE',
    `Cannot tell when all certificates expire as some cannot be read, they are listed as missing: ${reasons}`,
    { hint: 'Ask as root, and see what the files hold' },
  );
}
