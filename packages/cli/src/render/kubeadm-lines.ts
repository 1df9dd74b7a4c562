import type { Event } from '@groundplane/phases';
import { durationText } from './duration-text.ts';
import { isPreflight, namedMessage, preflightText } from './people-lines.ts';
import { type RenderedLine, toStderr, toStdout } from './rendered-line.ts';

type ArtifactEvent = Extract<Event, { type: 'artifact' }>;
/** Lines that were said before, and ids of artifacts that were reported before. */
interface Memory {
  readonly said: Set<string>;
  readonly reported: Set<string>;
  /** True if the parents of phases speak too: they name the folders. */
  readonly parents: boolean;
}
type ArtifactText = (event: ArtifactEvent, name: string, memory: Memory) => string | undefined;

/** Lines about one artifact; `pattern`'s first group is its short name. The first row that matches counts. */
interface ArtifactRow {
  readonly pattern: RegExp;
  /** Phases that it is said in; all of them if absent. */
  readonly phases?: RegExp;
  readonly made: ArtifactText;
  readonly kept?: ArtifactText;
  /** Said once, before the first artifact of this kind. */
  readonly folder?: (folder: string) => string;
}

/** Texts that programs match (kubeadm: phases/certs/certs.go, phases/kubeconfig/kubeconfig.go, cmd/phases/init/*.go). */
const artifactRows: readonly ArtifactRow[] = [
  {
    pattern: /^pki\/sa\.key$/,
    folder: certificateFolder,
    made: () => '[certs] Generating "sa" key and public key',
    kept: () => '[certs] Using the existing "sa" key',
  },
  {
    pattern: /^pki\/(.+)\.crt$/,
    folder: certificateFolder,
    made: (_, name) => `[certs] Generating "${name}" certificate and key`,
    kept: (event, name, { reported }) => {
      if (!/(^|-)ca$/.test(event.phase.replace(/^certs\//, '')))
        return `[certs] Using existing ${name} certificate and key on disk`;
      const keyless = reported.has(`pki/${name}.key`) ? '' : 'keyless ';
      return `[certs] Using existing ${name} ${keyless}certificate authority`;
    },
  },
  {
    pattern: /^([\w-]+\.conf)$/,
    phases: /^kubeconfig\//,
    folder: (folder) => `[kubeconfig] Using kubeconfig folder "${folder}"`,
    made: (_, name) => `[kubeconfig] Writing "${name}" kubeconfig file`,
    kept: (event) => `[kubeconfig] Using existing kubeconfig file: "${event.location}"`,
  },
  {
    pattern: /^manifests\/etcd\.yaml$/,
    made: (event) => `[etcd] Creating static Pod manifest for local etcd in "${folderOf(event.location)}"`,
    kept: (event) => `[etcd] Using existing static Pod manifest for local etcd in "${folderOf(event.location)}"`,
  },
  {
    pattern: /^manifests\/([\w-]+)\.yaml$/,
    folder: (folder) => `[control-plane] Using manifest folder "${folder}"`,
    made: (_, name) => `[control-plane] Creating static Pod manifest for "${name}"`,
    kept: (_, name) => `[control-plane] Using existing static Pod manifest for "${name}"`,
  },
  {
    pattern: /^kubelet\/kubeadm-flags\.env$/,
    made: (event) => `[kubelet-start] Writing kubelet environment file with flags to file "${event.location}"`,
  },
  {
    pattern: /^kubelet\/.+\.yaml$/,
    made: (event) => `[kubelet-start] Writing kubelet configuration to file "${event.location}"`,
  },
  {
    pattern: /^object\/kubeadm-config$/,
    made: () =>
      '[upload-config] Storing the configuration used in ConfigMap "kubeadm-config" in the "kube-system" Namespace',
  },
  {
    pattern: /^object\/kubelet-config$/,
    made: () =>
      '[kubelet] Creating a ConfigMap "kubelet-config" in namespace kube-system with the configuration for the kubelets in the cluster',
  },
  // The last objects of the addons.
  { pattern: /^object\/daemonset\/(kube-proxy)$/, made: addonText, kept: addonText },
  { pattern: /^object\/deployment\/coredns$/, made: () => addonText(), kept: () => addonText() },
];

/** What kubeadm says when a phase begins. */
const startTexts: Readonly<Record<string, string>> = {
  'bootstrap-token': '[bootstrap-token] Configuring bootstrap tokens, cluster-info ConfigMap, RBAC Roles',
  preflight: '[preflight] Running pre-flight checks',
  'wait-control-plane':
    '[wait-control-plane] Waiting for the kubelet to boot up the control plane as static Pods from directory "/etc/kubernetes/manifests"',
};

/**
 * Renders events as kubeadm would have put them: `[phase]` prefixes and the lines that programs match; own words elsewhere.
 *
 * @param phase the phase that was asked for, if not all: on its own (`certs/ca`) its parent is silent, in `certs/all` it speaks
 * @returns a renderer that remembers which folders it has named
 */
export function kubeadmRenderer(phase?: string): (event: Event) => readonly RenderedLine[] {
  const parents = phase === undefined || phase.endsWith('/all');
  const memory: Memory = { said: new Set(), reported: new Set(), parents };
  return (event) => {
    switch (event.type) {
      case 'phase-started':
        return once(startTexts[event.phase], memory).map(toStdout);
      case 'artifact':
        memory.reported.add(event.artifact);
        return artifactLines(event, memory).map(toStdout);
      case 'progress':
        return [toStdout(progressText(event.phase, event.message))];
      case 'waiting': {
        const time = `${durationText(event.elapsedMs)} of ${durationText(event.timeoutMs)}`;
        return [toStdout(progressText(event.phase, `Waiting for ${event.subject} (${time}): ${event.reason}`))];
      }
      case 'finding': {
        const { finding, phase } = event;
        // Errors end the run, and are told with the error that ends it.
        if (finding.severity === 'error') return [];
        const text = isPreflight(finding)
          ? `\t${preflightText(finding)}`
          : `[${kubeadmPrefix(phase)}] ${finding.severity.toUpperCase()}: ${namedMessage(finding)}`;
        return [toStderr(text)];
      }
      case 'phase-undone':
        return [toStdout(`[${kubeadmPrefix(event.phase)}] Undone`)];
      case 'result':
        return resultLines(event, memory).map(toStdout);
      case 'phase-finished':
        return finishedLines(event, memory).map(toStdout);
      case 'workflow-started':
      case 'phase-failed':
      case 'workflow-finished':
        return [];
    }
  };
}

/** The prefix of a phase's lines: its group, except where kubeadm uses another word. */
export function kubeadmPrefix(phase: string): string {
  const [group = phase] = phase.split('/');
  return prefixes[phase] ?? prefixes[group] ?? group;
}

const prefixes: Readonly<Record<string, string>> = {
  'upload-config/kubelet': 'kubelet',
  addon: 'addons',
  'cleanup-node': 'reset',
  'kubelet-wait-bootstrap': 'kubelet-start',
  'remove-etcd-member': 'reset',
};

/** Lines about the health of kubelet and control plane have prefixes of their own (kubeadm: util/apiclient/wait.go). */
function progressText(phase: string, message: string): string {
  const prefix = kubeadmPrefix(phase);
  if (phase !== 'wait-control-plane' && phase !== 'kubelet-wait-bootstrap') return `[${prefix}] ${message}`;
  return /^(Waiting for )?kubelet /.test(message)
    ? `[kubelet-check] ${message.replace(/^kubelet /, 'The kubelet ')}`
    : `[${phase === 'wait-control-plane' ? 'control-plane-check' : prefix}] ${message}`;
}

const storingCertificates =
  '[upload-certs] Storing the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace';

/** kubeadm: cmd/phases/init/uploadcerts.go, bootstraptoken.go. Join commands are told at the end, with what to do with them. */
function resultLines({ name, value }: Extract<Event, { type: 'result' }>, memory: Memory): readonly string[] {
  switch (name) {
    case 'certificateKey':
      return [...once(storingCertificates, memory), '[upload-certs] Using certificate key:', String(value)];
    case 'bootstrapToken':
      return [`[bootstrap-token] Using token: ${value}`];
    default:
      return [];
  }
}

function finishedLines({ phase, decision }: Extract<Event, { type: 'phase-finished' }>, memory: Memory) {
  if (phase !== 'upload-certs') return [];
  return decision === 'inapplicable'
    ? ['[upload-certs] Skipping phase. Please see --upload-certs']
    : once(storingCertificates, memory);
}

function artifactLines(event: ArtifactEvent, memory: Memory): readonly string[] {
  if (event.action === 'removed') return [`[${kubeadmPrefix(event.phase)}] Removed ${event.location}`];
  for (const { pattern, phases, made, kept, folder } of artifactRows) {
    const match = pattern.exec(event.artifact);
    if (match === null || phases?.test(event.phase) === false) continue;
    const name = match[1] ?? '';
    const text = event.action === 'kept' ? kept?.(event, name, memory) : made(event, name, memory);
    const place = memory.parents ? folder?.(baseFolder(event)) : undefined;
    return [...once(place, memory), ...(text === undefined ? [] : [text])];
  }
  return [];
}

function once(text: string | undefined, { said }: Memory): readonly string[] {
  if (text === undefined || said.has(text)) return [];
  said.add(text);
  return [text];
}

/** kubeadm: phases/addons. */
function addonText(_?: ArtifactEvent, name = 'CoreDNS'): string {
  return `[addons] Applied essential addon: ${name}`;
}

function certificateFolder(folder: string): string {
  return `[certs] Using certificateDir folder "${folder}"`;
}

/** The folder that the artifact's id is relative to: `/etc/kubernetes/pki` for `pki/etcd/ca.crt`. */
function baseFolder(event: ArtifactEvent): string {
  const inside = event.artifact.includes('/')
    ? event.artifact.slice(event.artifact.indexOf('/'))
    : `/${event.artifact}`;
  return event.location.endsWith(inside) ? event.location.slice(0, -inside.length) : folderOf(event.location);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
