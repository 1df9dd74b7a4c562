import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CommandRow } from '../arguments/flag-row.ts';
import { argumentTable } from '../commands/command-row.ts';
import { outputSchemas } from '../commands/output-schemas.ts';
import { readSchemas } from '../schemas.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const biome = fileURLToPath(new URL('../../../../node_modules/.bin/biome', import.meta.url));
const begin = '<!-- made from the schemas by packages/cli/src/build/output-page.ts -->';

/** The part of JSON Schema that our schemas make use of. */
interface Node {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
}

/** The page with everything behind the mark made anew. */
export function pageWithSchemas(page: string): string {
  const at = page.indexOf(begin);
  if (at < 0) throw new TypeError(`Cannot make the page as it has no line ${begin}`);
  const text = `${page.slice(0, at)}${begin}\n\n${schemaSections().join('\n')}\n`;
  // Tables as the formatter aligns them.
  return execFileSync(biome, ['format', '--stdin-file-path=docs/output.md'], { input: text, encoding: 'utf8' });
}

/** Markdown: which command prints what, the events, the other schemas. */
export function schemaSections(): readonly string[] {
  const schemas = readSchemas(root) as ReadonlyMap<string, Node>;
  const event = schemas.get('event');
  if (event === undefined) throw new TypeError('Cannot tell the events as there is no schema of them');
  return [
    '## Commands',
    '',
    ...commandTable(),
    '',
    '## Events',
    '',
    `\`event\`: ${event.title}. ${event.description ?? ''}`,
    '',
    ...Object.entries(event.$defs ?? {}).flatMap(([type, definition]) => objectLines('###', `\`${type}\``, definition)),
    '## Documents',
    '',
    ...[...schemas].filter(([name]) => name !== 'event').flatMap(([name, schema]) => schemaLines(name, schema)),
  ];
}

function commandTable(): readonly string[] {
  const manifest = JSON.parse(readFileSync(`${root}/oclif.manifest.json`, 'utf8'));
  const { commands } = argumentTable('groundplane', Object.values(manifest.commands));
  const links = (names: readonly string[]) =>
    names.map((name) => `[${name}](#${name === 'event' ? 'events' : name})`).join(', ');
  const rows = commands.map((row) => ({ name: familyOf(row), ...outputSchemas(row) }));
  const distinct = [...new Map(rows.map((row) => [`${row.name} ${row.json} ${row.jsonl}`, row])).values()];
  return [
    '| command | `-o json` | `-o jsonl` |',
    '| ------- | --------- | ---------- |',
    ...distinct.map(({ name, json, jsonl }) => `| ${name} | ${links(json)} | ${links(jsonl)} |`),
  ];
}

/** Phases print what their workflow prints. */
function familyOf({ path, kind }: CommandRow): string {
  if (kind !== 'run') return 'parents of commands, and `--help` of any';
  if (path[1] !== 'phase') return `\`${path.join(' ')}\``;
  return outputSchemas({ path, kind }).json.includes('manifests')
    ? `phases of \`${path[0]}\` with \`--print-manifest\``
    : `phases of \`${path[0]}\``;
}

function schemaLines(name: string, schema: Node): readonly string[] {
  const { title = '', description, $defs = {} } = schema;
  const about = [`### ${name}`, '', `${title}.${description === undefined ? '' : ` ${description}`}`, ''];
  const { description: _, ...own } = schema;
  return [
    ...about,
    ...bodyLines(own),
    ...Object.entries($defs).flatMap(([definition, node]) => objectLines('####', `\`${definition}\` of ${name}`, node)),
  ];
}

function objectLines(level: string, heading: string, node: Node): readonly string[] {
  const about = node.description === undefined ? [] : [`${node.description}.`, ''];
  return [`${level} ${heading}`, '', ...about, ...bodyLines(node)];
}

/** A table of the members, or one for each alternative. */
function bodyLines(node: Node): readonly string[] {
  const alternatives = node.anyOf ?? (node.properties === undefined ? node.oneOf : undefined);
  if (alternatives !== undefined) {
    return alternatives.flatMap((one, index) => {
      const heading = one.description ?? (one.$ref === undefined ? `form ${index + 1}` : referenceText(one.$ref));
      return [
        `${index === 0 ? 'Either' : 'or'}: ${heading}`,
        '',
        ...(one.properties === undefined ? [] : bodyLines(one)),
      ];
    });
  }
  const members = Object.entries(node.properties ?? {});
  if (members.length === 0) return [`${typeText(node)}.`, ''];
  return [
    '| member | type | what it is |',
    '| ------ | ---- | ---------- |',
    ...members.map(([member, schema]) => {
      const optional = node.required?.includes(member) === true ? '' : ' (optional)';
      return `| \`${member}\`${optional} | ${typeText(schema)} | ${cell(schema.description ?? '')} |`;
    }),
    '',
  ];
}

function typeText(node: Node): string {
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (node.$ref !== undefined) return referenceText(node.$ref);
  if (node.type === 'array') return `list of ${typeText(node.items ?? {})}`;
  const alternatives = node.anyOf ?? node.oneOf;
  if (alternatives !== undefined && node.properties === undefined) return alternatives.map(typeText).join(' or ');
  if (node.type === 'object' && node.properties !== undefined) return memberText(node);
  return node.type ?? 'any JSON';
}

/** A small object in a cell. */
function memberText({ properties = {}, required = [] }: Node): string {
  const members = Object.entries(properties).map(
    ([name, node]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(node)}`,
  );
  return `{ ${members.join('; ')} }`;
}

function referenceText(reference: string): string {
  if (reference.startsWith('https:')) return 'a JSON schema';
  const [file = '', definition] = reference.split('#/$defs/');
  const name = file.replace(/\.schema\.json$|^#$/, '');
  if (definition === undefined) return `[${name}](#${name})`;
  return name === '' ? `\`${definition}\`` : `[${definition}](#${name})`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
