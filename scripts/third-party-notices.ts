import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/**
 * The notices that the licences of bundled packages ask for: one section per package, sorted by name.
 *
 * @param root folder that the inputs are relative to
 * @param inputs bundled files, as esbuild's metafile names them
 * @throws TypeError if a bundled package states no licence
 */
export function thirdPartyNotices(root: string, inputs: readonly string[]): string {
  const { version: nodeVersion } = JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'));
  const folders = new Set(inputs.flatMap((input) => packageFolder(input) ?? []));
  const sections = [...folders]
    .map((folder) => describePackage(join(root, folder)))
    .filter((bundled) => !bundled.name.startsWith('@groundplane/'))
    .sort((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1))
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim()}\n`);
  const licence = `https://github.com/nodejs/node/blob/v${nodeVersion}/LICENSE`;
  const node = `Node.js ${nodeVersion} (MIT)\n\nThe program lib/node. Its licence and those of what it contains: ${licence}\n`;
  const line = `\n${'-'.repeat(100)}\n\n`;
  return ['This archive contains the following software of others.\n', node, ...sections].join(line);
}

/** The folder of the package that a file belongs to; undefined for our own files. */
function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

function describePackage(folder: string): Bundled {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new TypeError(`Cannot bundle ${name} ${version} as it states no licence`);
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  return { name, version, license, text: texts.join('\n') || `Licence: ${license}` };
}
