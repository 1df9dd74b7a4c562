// The declarations of WebCrypto, in which the signer is written.
/// <reference lib="dom" />
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initWorkflow, resolveInit, webCryptoSigner } from '../packages/bootstrap/dist/index.js';
import { errorLines } from '../packages/cli/dist/render/error-lines.js';
import { type GroundplaneError, isGroundplaneError } from '../packages/errors/dist/index.js';
import { localHost, openRootDirectory, systemClock, systemEntropy } from '../packages/host/dist/index.js';
import { decodeText } from '../packages/manifest/dist/index.js';
import { runWorkflow, type SuppliedPorts } from '../packages/phases/dist/index.js';

/** What became of one input. */
export interface Outcome {
  /** Absent if the input was accepted. */
  readonly error?: GroundplaneError;
  readonly warnings: readonly string[];
  readonly milliseconds: number;
}

const folder = mkdtempSync(join(tmpdir(), 'groundplane-mutations-'));
/** Where all roots of nodes are. */
export const mutationFolder = folder;
const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';

/** Of the root that other roots are copied from. */
export const templateName = 'template';

/** A root with what the real kubeadm makes of a configuration: certificates and kubeconfigs. */
export function templateRoot(configuration: string, name = templateName): string {
  const root = join(folder, name);
  const kubernetes = join(root, 'etc/kubernetes');
  mkdirSync(join(root, 'var/lib'), { recursive: true });
  const config = kubeadmConfiguration(configuration, root);
  for (const args of [
    ['certs', 'all'],
    ['kubeconfig', 'all', '--kubeconfig-dir', kubernetes],
  ]) {
    execFileSync(kubeadm, ['init', 'phase', ...args, '--config', config], { stdio: 'pipe' });
  }
  return root;
}

/** The configuration as a file, for a kubeadm that works in a root. */
function kubeadmConfiguration(configuration: string, root: string): string {
  const file = join(folder, 'kubeadm.yaml');
  writeFileSync(file, `${configuration}certificatesDir: ${join(root, 'etc/kubernetes/pki')}\n`);
  return file;
}

let roots = 0;

/** A root with nothing in it. */
export function emptyRoot(): string {
  const root = join(folder, `root-${roots++}`);
  mkdirSync(root);
  return root;
}

/** A copy of a root. */
export function copyOf(template: string): string {
  const root = join(folder, `root-${roots++}`);
  cpSync(template, root, { recursive: true, preserveTimestamps: true });
  return root;
}

/** Whether the real kubeadm takes what is in a root; what it says if not. */
export function kubeadmRefusal(root: string, configuration: string): Promise<string | undefined> {
  const config = kubeadmConfiguration(configuration, root);
  const steps = [
    ['certs', 'all'],
    ['kubeconfig', 'all', '--kubeconfig-dir', join(root, 'etc/kubernetes')],
  ];
  return steps.reduce<Promise<string | undefined>>(
    async (before, step) => (await before) ?? (await refusalOf(['init', 'phase', ...step, '--config', config])),
    Promise.resolve(undefined),
  );
}

/** Whether `kubeadm config validate` takes a file; what it says if not. */
export function validateRefusal(bytes: Uint8Array): Promise<string | undefined> {
  const file = join(folder, 'validated.yaml');
  writeFileSync(file, bytes);
  return refusalOf(['config', 'validate', '--config', file]);
}

function refusalOf(args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(kubeadm, [...args], { timeout: 20_000 }, (error, stdout, stderr) => {
      resolve(error === null ? undefined : `${stdout}${stderr}`);
    });
  });
}

const phases = ['certs', 'kubeconfig', 'control-plane', 'etcd'];

/** A node whose files are in a root; nothing else of it is there. */
export async function portsIn(root: string): Promise<SuppliedPorts> {
  const notHere = () => Promise.reject(new Error('there is no cluster and no runtime here'));
  return {
    host: localHost({ root: await openRootDirectory(root), environment: { PATH: process.env.PATH } }),
    clusters: { connect: notHere },
    runtime: {} as SuppliedPorts['runtime'],
    signer: webCryptoSigner(),
    clock: systemClock(),
    entropy: systemEntropy(),
  };
}

/**
 * Reads a configuration as the command line does, and makes certificates, kubeconfigs and manifests in a root.
 *
 * @throws whatever is thrown and is no GroundplaneError, or one of our own mistakes
 */
export async function outcomeOf(bytes: Uint8Array, root: string): Promise<Outcome> {
  const start = performance.now();
  const warnings: string[] = [];
  const done = () => ({ warnings, milliseconds: performance.now() - start });
  try {
    const ports = await portsIn(root);
    const resolved = await resolveInit({ configText: decodeText(bytes), ports });
    warnings.push(...resolved.warnings.map(({ code }) => code));
    await runWorkflow({
      workflow: initWorkflow,
      config: resolved.context,
      ports,
      selection: { only: phases, skip: resolved.skipPhases },
      actor: 'test',
    });
    return done();
  } catch (thrown) {
    if (!isGroundplaneError(thrown) || thrown.kind === 'internal') throw thrown;
    return { ...done(), error: thrown };
  }
}

/** What no message holds. */
export const forbidden =
  /TypeError|RangeError|undefined|\[object |Maximum call stack|PHASES_INTERNAL|^\s+at .*:\d+:\d+/m;

/** What people read of an error, under both names. */
export function textOf(error: GroundplaneError): string {
  const programs = ['groundplane', 'kubeadm'] as const;
  return programs.flatMap((program) => errorLines(error, { program, verbosity: 0 })).join('\n');
}
