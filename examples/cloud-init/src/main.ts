import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock, systemEntropy } from '@groundplane/host';
import { renderUserData } from './render-user-data.ts';

const usage = `Usage: node src/main.ts --config FILE --name NAME --address ADDRESS [--certificate-folder FOLDER]… --output FOLDER
`;

/** Folders that Debian's package ca-certificates brings. */
const debianFolders = ['/etc/ca-certificates', '/usr/local/share/ca-certificates', '/usr/share/ca-certificates'];

try {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      name: { type: 'string' },
      address: { type: 'string' },
      'certificate-folder': { type: 'string', multiple: true, default: debianFolders },
      output: { type: 'string' },
    },
  });
  const { config, name, address, output, 'certificate-folder': certificateFolders } = values;
  if (config === undefined || name === undefined || address === undefined || output === undefined) {
    throw new Error(`Cannot render as an option is missing\n${usage}`);
  }
  const { controlPlane, worker, warnings } = await renderUserData({
    configText: readFileSync(config, 'utf8'),
    controlPlane: { name, address, certificateFolders },
    clock: systemClock(),
    entropy: systemEntropy(),
  });
  for (const { code, message } of warnings) process.stderr.write(`[WARNING ${code}]: ${message}\n`);
  mkdirSync(output, { recursive: true, mode: 0o700 });
  for (const [file, text] of Object.entries({ 'control-plane.yaml': controlPlane, 'worker.yaml': worker })) {
    writeFileSync(join(output, file), text, { mode: 0o600 });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
