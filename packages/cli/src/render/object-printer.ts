import { messageOf } from '@groundplane/errors';
import { stringifyYaml } from '@groundplane/manifest';
import { goQuote } from '../arguments/go-quote.ts';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';

/** Prints an object of kubeadm's output API; `text` gives its form for people. */
export type ObjectPrinter = (object: Readonly<Record<string, unknown>>, text: () => string) => string;

/** Structured formats; their names are taken in any case (k8s.io/cli-runtime, json_yaml_flags.go). */
const plainFormats: Readonly<Record<string, (object: unknown) => string>> = {
  json: (object) => `${JSON.stringify(object, undefined, 4)}\n`,
  jsonl: (object) => `${JSON.stringify(object)}\n`,
  kyaml: (object) => `---\n${kyaml(object, '')}\n`,
  yaml: (object) => stringifyYaml(object),
};

const jsonPathFormats = ['jsonpath', 'jsonpath-as-json', 'jsonpath-file'];
/** Templates of Go's text/template, whose language is not ours to speak. */
const goTemplateFormats = ['go-template', 'go-template-file', 'template', 'templatefile'];
const formats = ['text', ...Object.keys(plainFormats), ...jsonPathFormats].toSorted();

/**
 * The printer for `--output` of a command whose output is an object (k8s.io/cli-runtime, printers).
 *
 * @throws GroundplaneError CLI_FLAG_VALUE for a format that does not exist, CLI_TEMPLATE_FAILED for a template that does not parse; the
 * printer CLI_TEMPLATE_FAILED for one that does not fit the object
 */
export async function objectPrinter(invocation: Invocation, node: NodeHost): Promise<ObjectPrinter> {
  const output = textFlag(invocation, 'output') ?? 'text';
  if (output === 'text') return (_, text) => text();
  const plain = plainFormats[output.toLowerCase()];
  if (plain !== undefined) return plain;
  const [format = '', ...rest] = output.split('=');
  if (jsonPathFormats.includes(format)) return templatePrinter(format, rest.join('='), { invocation, node });
  const isGoTemplate = goTemplateFormats.includes(format);
  throw cliError(
    'CLI_FLAG_VALUE',
    `could not construct output printer: unable to match a printer suitable for the output format ${goQuote(output)}, allowed formats are: ${formats.join(',')}`,
    isGoTemplate ? { hint: 'Templates of Go are not supported; a jsonpath template can often say the same' } : {},
  );
}

async function templatePrinter(
  format: string,
  given: string,
  { invocation, node }: { readonly invocation: Invocation; readonly node: NodeHost },
): Promise<ObjectPrinter> {
  const { parseJsonPath } = await import('./json-path/parse-json-path.ts');
  const { printJsonPath } = await import('./json-path/print-json-path.ts');
  const refused = (reason: string) =>
    cliError('CLI_TEMPLATE_FAILED', `could not construct output printer: ${reason}`, { details: { format } });
  if (given === '') throw refused('template format specified but no template given');
  const attempt = <T>(what: string, action: () => T): T => {
    try {
      return action();
    } catch (thrown) {
      throw refused(`${what}, ${messageOf(thrown)}`);
    }
  };
  const template = format === 'jsonpath-file' ? await templateFile(node, given, refused) : given;
  const path = attempt(`error parsing jsonpath ${template}`, () => parseJsonPath(template));
  const options = {
    allowMissingKeys: invocation.flags['allow-missing-template-keys'] !== false,
    asJson: format === 'jsonpath-as-json',
  };
  return (object) => {
    try {
      return printJsonPath(path, object, options);
    } catch (thrown) {
      throw cliError(
        'CLI_TEMPLATE_FAILED',
        `unable to print images: error executing jsonpath ${goQuote(template)}: Error executing template: ${messageOf(thrown)}`,
      );
    }
  };
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
  const children = list
    ? value.map((child) => kyaml(child, inner))
    : Object.entries(value).map(([key, child]) => `${key}: ${kyaml(child, inner)}`);
  const [open, close] = list ? ['[', ']'] : ['{', '}'];
  if (children.length === 0) return `${open}${close}`;
  return `${open}\n${children.map((child) => `${inner}${child},\n`).join('')}${indent}${close}`;
}
