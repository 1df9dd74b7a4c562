import { goQuote } from '../arguments/go-quote.ts';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { outputVersion } from '../render/output-version.ts';
import { jsonText } from '../render/shown-text.ts';

/**
 * Prints the version. Under `kubeadm` it is the Kubernetes version, in kubeadm's forms (cmd/version.go): text, short, yaml, json.
 * Under `groundplane` it is ours, and the Kubernetes versions that we know.
 *
 * @throws GroundplaneError CLI_FLAG_VALUE for a format that does not exist
 */
export async function printVersion(invocation: Invocation): Promise<void> {
  const format = textFlag(invocation, 'output') ?? '';
  const print = (invocation.program === 'kubeadm' ? kubeadmForms(invocation) : ownForms(invocation))[format];
  if (print === undefined) throw cliError('CLI_FLAG_VALUE', `invalid output format: ${format}`);
  invocation.output.stdout(`${print()}\n`);
}

type Forms = Readonly<Record<string, () => string>>;

function ownForms({ release: { manifest } }: Invocation): Forms {
  const { version, kubernetesVersions } = manifest;
  const facts = {
    version,
    outputVersion,
    kubernetesVersion: kubernetesVersions.newest,
    minimumControlPlaneVersion: kubernetesVersions.minimumControlPlane,
    minimumKubeletVersion: kubernetesVersions.minimumKubelet,
    nodeVersion: process.version,
    platform,
  };
  const text = () =>
    `groundplane ${version} (Kubernetes ${facts.kubernetesVersion}, Node.js ${facts.nodeVersion}, ${facts.platform})`;
  return {
    '': text,
    text,
    short: () => version,
    yaml: () => yamlMapping(facts),
    json: () => jsonText(facts, 2),
    jsonl: () => jsonText({ type: 'version', ...facts }),
  };
}

/** Go's name of the platform that this release is built for. */
const platform = 'linux/amd64';

/** `k8s.io/apimachinery/pkg/version.Info`, in its field order. What only a Go build has is empty. */
function kubeadmForms({ release: { manifest } }: Invocation): Forms {
  const { version, kubernetesVersions } = manifest;
  const gitVersion = kubernetesVersions.newest;
  const [major = '', minor = ''] = gitVersion.slice(1).split('.');
  const info = {
    major,
    minor,
    gitVersion,
    gitCommit: `groundplane-${version}`,
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: `node-${process.version}`,
    platform,
  };
  // Go prints all fields, those that JSON leaves out when they are empty too.
  const unset = { emulationMajor: '', emulationMinor: '', minCompatibilityMajor: '', minCompatibilityMinor: '' };
  const { major: _major, minor: _minor, ...build } = info;
  const fields = Object.entries({ major, minor, ...unset, ...build }).map(
    ([name, value]) => `${name[0]?.toUpperCase()}${name.slice(1)}:${goQuote(value)}`,
  );
  return {
    '': () => `kubeadm version: &version.Info{${fields.join(', ')}}`,
    short: () => gitVersion,
    // kubeadm ends its YAML with an empty line.
    yaml: () => `clientVersion:\n${yamlMapping(info, '  ')}\n`,
    json: () => jsonText({ clientVersion: info }, 2),
    jsonl: () => jsonText({ type: 'version', clientVersion: info }),
  };
}

/** Plain texts as a YAML mapping with sorted keys; JSON strings are YAML strings. */
function yamlMapping(values: Readonly<Record<string, string>>, indent = ''): string {
  return Object.keys(values)
    .sort()
    .map((key) => `${indent}${key}: ${JSON.stringify(values[key])}`)
    .join('\n');
}
