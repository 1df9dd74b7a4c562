import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One block of shell commands of a guide. */
export interface GuideBlock {
  /** Where it is run: the word after `sh`. */
  readonly where: string;
  /** The heading above it, without its number. */
  readonly section: string;
  readonly commands: string;
}

/** The blocks of shell commands of a page of docs/, from its top to its end. */
export function guideBlocks(page: string): readonly GuideBlock[] {
  const text = readFileSync(fileURLToPath(new URL(`../docs/${page}`, import.meta.url)), 'utf8');
  const blocks: GuideBlock[] = [];
  let section = '';
  for (const [, heading, where, commands = ''] of text.matchAll(
    /^## (?:\d+\. )?([^\n]*)$|^```sh(?: (\w+))?\n(.*?)^```$/gms,
  )) {
    if (heading !== undefined) section = heading;
    else blocks.push({ where: where ?? '', section, commands });
  }
  return blocks;
}

/**
 * The blocks in the order in which a reader comes to run them: where certificates are renewed, what signs them is run once more.
 *
 * @throws Error if no block asks again
 */
export function externalAuthorityBlocks(): readonly GuideBlock[] {
  const blocks = guideBlocks('external-ca.md');
  const signing = blocks.find(({ where, commands }) => where === 'ca' && commands.includes('\nsign '));
  const asking = blocks.findIndex(
    ({ section, commands }) => section === 'Renew' && commands.includes('certs requests'),
  );
  if (signing === undefined || asking === -1) throw new Error('the guide does not say how certificates are renewed');
  return [...blocks.slice(0, asking + 1), { ...signing, section: 'Renew' }, ...blocks.slice(asking + 1)];
}
