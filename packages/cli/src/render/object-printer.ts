import { messageOf } from '@groundplane/errors';
import { stringifyYaml } from '@groundplane/manifest';
import { dataFormat } from '../arguments/data-format.ts';
import { goQuote } from '../arguments/go-quote.ts';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';
import { jsonText } from './shown-text.ts';

/** Prints an object of kubeadm's output API; `text` gives its form for people. */
export type ObjectPrinter = (object: Readonly<Record<string, unknown>>, text: () => string) => string;

/** Structured formats; their names are taken in any case (k8s.io/cli-runtime, json_yaml_flags.go). */
const plainFormats: Readonly<Record<string, (object: unknown) => string>> = {
  json: (object) => `${JSON.stringify(object, undefined, 4)}\n`,
  kyaml: (object) => `---\n${kyaml(object, '')}\n`,
  yaml: (object) => stringifyYaml(object),
};

/** What reads a template gives what prints an object by it. */
interface TemplateLanguage {
  /** As messages name it. */
  readonly name: string;
  readonly print: (template: string, options: TemplateOptions) => (object: unknown) => string;
}

interface TemplateOptions {
  readonly allowMissingKeys: boolean;
  readonly asJson: boolean;
}

async function jsonPath(): Promise<TemplateLanguage> {
  const { parseJsonPath } = await import('./json-path/parse-json-path.ts');
  const { printJsonPath } = await import('./json-path/print-json-path.ts');
  return {
    name: 'jsonpath',
    print: (template, options) => {
      const path = parseJsonPath(template);
      return (object) => printJsonPath(path, object, options);
    },
  };
}

async function goTemplate(): Promise<TemplateLanguage> {
  const { parseGoTemplate } = await import('./go-template/parse-go-template.ts');
  const { printGoTemplate } = await import('./go-template/print-go-template.ts');
  return {
    name: 'template',
    print: (text, options) => {
      const template = parseGoTemplate(text);
      return (object) => printGoTemplate(template, object, options);
    },
  };
}

/** Formats that go on with `=` and a template, or the path of its file. */
const templateFormats: Readonly<Record<string, () => Promise<TemplateLanguage>>> = {
  'go-template': goTemplate,
  'go-template-file': goTemplate,
  jsonpath: jsonPath,
  'jsonpath-as-json': jsonPath,
  'jsonpath-file': jsonPath,
  template: goTemplate,
  templatefile: goTemplate,
};

const formats = ['jsonl', 'text', ...Object.keys(plainFormats), ...Object.keys(templateFormats)].toSorted();

/**
 * The printer for `--output` of a command whose output is an object (k8s.io/cli-runtime, printers).
 *
 * @param options.subject what is printed, for errors
 * @param options.type what a line of `jsonl` says it is
 * @throws GroundplaneError CLI_FLAG_VALUE for a format that does not exist, CLI_TEMPLATE_FAILED for a template that does not parse; the
 * printer CLI_TEMPLATE_FAILED for one that does not fit the object
 */
export async function objectPrinter(
  invocation: Invocation,
  node: NodeHost,
  { subject, type }: { readonly subject: string; readonly type: string },
): Promise<ObjectPrinter> {
  const output = textFlag(invocation, 'output') ?? 'text';
  if (output === 'text') return (_, text) => text();
  if (dataFormat(output) === 'jsonl') return (object) => `${jsonText({ type, ...object })}\n`;
  const plain = plainFormats[output.toLowerCase()];
  if (plain !== undefined) return plain;
  const [format = '', ...rest] = output.split('=');
  if (Object.hasOwn(templateFormats, format))
    return templatePrinter(format, rest.join('='), { invocation, node, subject });
  throw cliError(
    'CLI_FLAG_VALUE',
    `could not construct output printer: unable to match a printer suitable for the output format ${goQuote(output)}, allowed formats are: ${formats.join(',')}`,
  );
}

async function templatePrinter(
  format: string,
  given: string,
  { invocation, node, subject }: { readonly invocation: Invocation; readonly node: NodeHost; readonly subject: string },
): Promise<ObjectPrinter> {
  const refused = (reason: string) =>
    cliError('CLI_TEMPLATE_FAILED', `could not construct output printer: ${reason}`, { details: { format } });
  if (given === '') throw refused('template format specified but no template given');
  const template = format.endsWith('file') ? await templateFile(node, given, refused) : given;
  const language = await templateFormats[format]?.();
  if (language === undefined) throw new TypeError(`no format of templates: ${format}`);
  const attempt = <T>(action: () => T, failed: (reason: string) => Error): T => {
    try {
      return action();
    } catch (thrown) {
      throw failed(messageOf(thrown));
    }
  };
  const options = {
    allowMissingKeys: invocation.flags['allow-missing-template-keys'] !== false,
    asJson: format === 'jsonpath-as-json',
  };
  const print = attempt(
    () => language.print(template, options),
    (reason) => refused(`error parsing ${language.name} ${template}, ${reason}`),
  );
  return (object) =>
    attempt(
      () => print(object),
      (reason) => {
        const where = language.name === 'jsonpath' ? 'Error executing template: ' : '';
        return cliError(
          'CLI_TEMPLATE_FAILED',
          `unable to print ${subject}: error executing ${language.name} ${goQuote(template)}: ${where}${reason}`,
        );
      },
    );
}

async function templateFile(
  { host, absolute }: NodeHost,
  path: string,
  refused: (reason: string) => Error,
): Promise<string> {
  const file = await host.files.read(absolute(path)).catch((thrown: unknown) => {
    throw refused(`error reading --template ${path}, ${messageOf(thrown)}`);
  });
  if (file === undefined) throw refused(`error reading --template ${path}, there is no such file`);
  return new TextDecoder().decode(file.bytes);
}

/** KYAML: YAML with braces and quoted texts (sigs.k8s.io/yaml/kyaml). Keys of objects of the output API need no quotes. */
function kyaml(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const list = Array.isArray(value);
  // Lists of nothing but mappings and lists have their brackets on the same line.
  const isCuddled = list && value.length > 0 && value.every((child) => typeof child === 'object' && child !== null);
  if (isCuddled) return `[${value.map((child) => kyaml(child, indent)).join(', ')}]`;
  const children = list
    ? value.map((child) => kyaml(child, inner))
    : Object.entries(value).map(([key, child]) => `${key}: ${kyaml(child, inner)}`);
  const [open, close] = list ? ['[', ']'] : ['{', '}'];
  if (children.length === 0) return `${open}${close}`;
  return `${open}\n${children.map((child) => `${inner}${child},\n`).join('')}${indent}${close}`;
}
