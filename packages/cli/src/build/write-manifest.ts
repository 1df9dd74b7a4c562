import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { kubernetesVersions } from '@groundplane/config';
import { Config, Plugin } from '@oclif/core';
import type { ReleaseManifest } from '../release.ts';

/**
 * Writes `oclif.manifest.json`, from which every command is found without loading its code. It is made from the workflow,
 * so it is a step of the build, after the packages that the workflow comes from.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const pjson = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
const commands = { strategy: 'explicit', target: './dist/build/described-commands.js', identifier: 'default' };
const config = await Config.load({
  root,
  ignoreManifest: true,
  pjson: { ...pjson, oclif: { ...pjson.oclif, commands } },
});
const plugin = config.plugins.get(pjson.name);
if (!(plugin instanceof Plugin)) throw new TypeError(`Cannot write the manifest as oclif did not load ${pjson.name}`);
const manifest: ReleaseManifest = { ...plugin.manifest, kubernetesVersions };
await writeFile(`${root}/oclif.manifest.json`, `${JSON.stringify(manifest)}\n`);
