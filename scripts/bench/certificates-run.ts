import { createPublicKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement, Side } from './benchmark.ts';
import { measureOnHost } from './measured-run.ts';
import { type EncryptionAlgorithm, phaseConfiguration } from './phase-configuration.ts';
import type { Programs } from './programs.ts';

const keyTypes: Readonly<Record<EncryptionAlgorithm, string>> = { 'RSA-2048': 'rsa', 'ECDSA-P256': 'ec' };

/** Ten certificates with their keys, and the pair for service accounts. */
const expectedFiles = 22;

/** `init phase certs all` into an empty folder on this host. */
export async function runCertificates(
  programs: Programs,
  side: Side,
  algorithm: EncryptionAlgorithm,
  scratch: string,
): Promise<Measurement> {
  const folder = mkdtempSync(join(scratch, 'certs-'));
  try {
    const directory = join(folder, 'pki');
    const config = join(folder, 'config.yaml');
    mkdirSync(directory);
    writeFileSync(config, phaseConfiguration({ ...programs, certificatesDir: directory, algorithm }));
    const argv = [programs.paths[side], 'init', 'phase', 'certs', 'all', '--config', config];
    const measurement = await measureOnHost(argv, folder);
    checkCertificates(directory, side, algorithm);
    return measurement;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error if the folder does not hold what both sides must make */
function checkCertificates(directory: string, side: Side, algorithm: EncryptionAlgorithm): void {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const keyFiles = files.filter(({ name }) => /\.(key|crt|pub)$/.test(name));
  const types = new Set(
    keyFiles.map(({ parentPath, name }) => createPublicKey(readFileSync(join(parentPath, name))).asymmetricKeyType),
  );
  if (files.length === expectedFiles && types.size === 1 && types.has(keyTypes[algorithm] as 'rsa')) return;
  const found = `${files.length} files with keys of type ${[...types].join(', ')}`;
  throw new Error(
    `cannot compare as ${side} made something else than ${expectedFiles} files of ${algorithm}: ${found}`,
  );
}
