import { kubeletError } from './error-codes.ts';
import { goQuote } from './go-quote.ts';

/** One kubelet flag without its dashes. */
export interface KubeletFlag {
  readonly name: string;
  readonly value: string;
}

/** A taint that the kubelet sets when it registers its Node. */
export interface RegistrationTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface RegistrationFacts {
  readonly nodeName: string;
  /** Name of the host, trimmed and in lower case; without difference to the node name no flag is needed. */
  readonly hostName: string;
  /** Taints to register with: those of a worker. A control plane node gets its taints later. */
  readonly taints?: readonly RegistrationTaint[];
  /** nodeRegistration.kubeletExtraArgs: they replace flags of the same name and keep their order. */
  readonly extraArgs?: readonly KubeletFlag[];
}

const variable = 'KUBELET_KUBEADM_ARGS';

/**
 * The flags that depend on the node: own ones sorted by name, then the user's in their order
 * (kubeadm, phases/kubelet/flags.go).
 */
export function kubeletFlags(facts: RegistrationFacts): readonly KubeletFlag[] {
  const extraArgs = facts.extraArgs ?? [];
  const taints = facts.taints ?? [];
  const own: KubeletFlag[] = [];
  if (facts.nodeName !== facts.hostName) own.push({ name: 'hostname-override', value: facts.nodeName });
  if (taints.length > 0) own.push({ name: 'register-with-taints', value: taints.map(formatTaint).join(',') });
  const replaced = new Set(extraArgs.map((flag) => flag.name));
  return [...own.filter((flag) => !replaced.has(flag.name)), ...extraArgs];
}

/** `key=value:effect`, or `key:effect` without a value. */
function formatTaint({ key, value = '', effect }: RegistrationTaint): string {
  const name = value === '' ? key : `${key}=${value}`;
  return value === '' && effect === '' ? name : `${name}:${effect}`;
}

/**
 * The node name as the kubelet will use it: the flag hostname-override, else the given name
 * (kubeadm, GetNodeNameAndHostname).
 */
export function effectiveNodeName(nodeName: string, extraArgs: readonly KubeletFlag[]): string {
  return extraArgs.findLast((flag) => flag.name === 'hostname-override')?.value ?? nodeName;
}

/** The text of /var/lib/kubelet/kubeadm-flags.env: one variable, quoted as Go's `%q`, and a line end. Mode 0644. */
export function kubeadmFlagsEnv(flags: readonly KubeletFlag[]): string {
  return `${variable}=${goQuote(flags.map(({ name, value }) => `--${name}=${value}`).join(' '))}\n`;
}

/**
 * Reads kubeadm-flags.env back (kubeadm, ReadKubeletDynamicEnvFile): words separated by blanks; a word without `=`
 * takes the next one as its value.
 *
 * @throws KUBELET_FLAGS_UNREADABLE if the variable is missing
 */
export function parseKubeadmFlagsEnv(text: string): readonly KubeletFlag[] {
  const content = text.trim();
  if (!content.startsWith(`${variable}=`)) {
    throw kubeletError(
      'KUBELET_FLAGS_UNREADABLE',
      `Cannot read the kubelet's flags as the text does not start with ${variable}=: ${content.length} characters`,
      { hint: 'Let the phase kubelet-start write the file again' },
    );
  }
  const words = content
    .slice(variable.length + 1)
    .replace(/^"+|"+$/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const flags: KubeletFlag[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const equals = word.indexOf('=');
    const next = words[index + 1];
    if (equals < 0 && next === undefined) continue;
    const [name, value] = equals < 0 ? [word, next ?? ''] : [word.slice(0, equals), word.slice(equals + 1)];
    if (equals < 0) index++;
    flags.push({ name: name.replace(/^--?/, ''), value });
  }
  return flags;
}
