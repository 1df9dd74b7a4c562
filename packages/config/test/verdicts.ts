import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorsOf, isGroundplaneError } from '@groundplane/errors';
import {
  discoveryFilesOf,
  imagesConfiguration,
  type ValidateOptions,
  validateConfigurationFile,
} from '../src/index.ts';
import { sampleHost } from './sample-host.ts';

/** The real kubeadm. */
export function runKubeadm(args: readonly string[]) {
  return spawnSync(process.env.GROUNDPLANE_KUBEADM ?? '', args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '' },
  });
}

/** Calls with the path of a file that holds the text and is gone afterwards. */
export function withFile<T>(text: string, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-config-'));
  try {
    const path = join(folder, 'config.yaml');
    writeFileSync(path, text);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What `kubeadm config validate` says. */
export function theirVerdict(text: string, flags: readonly string[] = []) {
  const { status, stderr, stdout } = withFile(text, (path) =>
    runKubeadm(['config', 'validate', '--config', path, ...flags]),
  );
  return { valid: status === 0, output: status === 0 ? '' : `${stdout}${stderr}` };
}

/** What we say; of a path, list positions are left out. */
export function ourVerdict(text: string, options: Partial<ValidateOptions> = {}) {
  const missingFiles = discoveryFilesOf(text).filter((path) => !existsSync(path));
  const { valid, findings } = validateConfigurationFile(text, { host: sampleHost, missingFiles, ...options });
  const paths = errorsOf(findings).map(({ artifact }) => withoutPositions(artifact));
  return { valid, paths, messages: findings.map(({ message }) => message) };
}

/** What a command says that reads the file of `init`; it makes nothing but a list of images. */
export function theirLenientVerdict(text: string) {
  const { status, stderr } = withFile(text, (path) => runKubeadm(['config', 'images', 'list', '--config', path]));
  // What strict decoding finds is only a warning here, so only the error itself counts.
  const errors = stderr.split('\n').filter((line) => !/^[A-Z]\d{4} /.test(line));
  return { valid: status === 0, output: status === 0 ? '' : errors.join('\n') };
}

/** What we say to the same. */
export function ourLenientVerdict(text: string) {
  try {
    imagesConfiguration(text, { host: sampleHost });
    return { valid: true, paths: [] };
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return { valid: false, paths: thrown.findings.map(({ artifact }) => withoutPositions(artifact)) };
  }
}

function withoutPositions(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '');
}

/**
 * The field paths in kubeadm's error text: of rules that are broken, of fields that strict decoding does not know or
 * sees twice, and of values that Go cannot decode. A key that is set twice is named without the path of its mapping.
 */
export function fieldPathsIn(output: string): readonly string[] {
  const patterns = [
    /(?:^|[\s[])([a-zA-Z][\w.-]*): (?:Invalid|Required) value/g,
    /unknown field "([^"]*)"/g,
    /key "([^"]*)" already set in map/g,
    /Go struct field \w+\.(\S+) of type/g,
  ];
  const paths = patterns.flatMap((pattern) => [...output.matchAll(pattern)].map((match) => match[1] ?? ''));
  // Go names embedded types, whose fields are those of the outer one, too.
  return paths.map((path) => withoutPositions(path).replaceAll(/(?<=^|\.)[A-Z]\w*\./g, ''));
}

/** Whether two paths are the same, or ours says more: which key of a map, or where a key stands that is set twice. */
export function meansPath(ours: string, theirs: string): boolean {
  return ours === theirs || ours.startsWith(`${theirs}.`) || ours.endsWith(`.${theirs}`);
}
