import { type AnswerFile, type CertificateImport, importCertificates } from '@groundplane/bootstrap';
import { goDurationMilliseconds } from '@groundplane/config';
import { cliError } from '../error-codes.ts';
import { givenFlags } from '../given-flags.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import type { NodeHost } from '../node-host.ts';
import { readNamedFile } from '../read-named-file.ts';
import { importLines } from '../render/import-lines.ts';
import { failedDocument, printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { authorityName, type ExchangeTurn, exchangeInput, inTurn } from './exchange-input.ts';

/**
 * `certs import`: puts what CAs sent back in place. What is refused is told with its reasons, and the rest is taken.
 *
 * @throws GroundplaneError CLI_ANSWERS_REFUSED after all else was done; CLI_ARGUMENT_MISSING, CLI_FLAG_VALUE, CLI_FILE_UNREADABLE, those of the configuration
 */
export async function importAnswers(invocation: Invocation): Promise<void> {
  const given = await exchangeInput(invocation);
  const { node, warnings, ...input } = given;
  const files = await answerFiles(invocation, node);
  const period = textFlag(invocation, 'min-validity') || undefined;
  const dryRun = invocation.flags['dry-run'] === true;
  const take = (turn?: ExchangeTurn) =>
    importCertificates({
      ...input,
      ...turn,
      files,
      minimumValidityMs: period === undefined ? undefined : goDurationMilliseconds(period),
      dryRun,
      now: new Date(),
    });
  const result = await (dryRun ? take() : inTurn(invocation, given, take));
  const failure = refusal(result);
  const document = { dryRun, ...documentOf(result), warnings };
  if (wantsDocument(invocation)) {
    if (failure !== undefined) throw failedDocument(invocation, document, failure);
    printDocument(invocation, document);
    return;
  }
  printWarnings(invocation, [...warnings, ...result.imported.flatMap((one) => one.warnings), ...result.remarks]);
  printText(invocation.output, importLines(result, { dryRun, flags: givenFlags(invocation) }));
  if (failure !== undefined) throw failure;
}

async function answerFiles(invocation: Invocation, node: NodeHost): Promise<readonly AnswerFile[]> {
  const { words, input } = invocation;
  const { authority: told } = invocation.flags;
  const named = (Array.isArray(told) ? (told as readonly string[]) : []).map((text) => {
    const at = text.indexOf('=');
    return { name: text.slice(at + 1), authority: authorityName(text.slice(0, Math.max(at, 0)), '--authority') };
  });
  const all = [...named, ...words.map((name) => ({ name, authority: undefined }))];
  if (all.length === 0)
    throw cliError('CLI_ARGUMENT_MISSING', 'Cannot import anything as no file is given', {
      hint: 'Name the files that the CA sent back, or give - to read one from standard input',
    });
  return Promise.all(
    all.map(async ({ name, authority }) => {
      if (name === '-') return { name: 'standard input', bytes: await readInput(input), authority };
      return { name, bytes: await readAnswer(node, name), authority };
    }),
  );
}

/** More than any chain comes to; what is larger is no answer of a CA. */
const largest = 4 * 2 ** 20;

async function readAnswer(node: NodeHost, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const failure = `Cannot read ${name}`;
  const bytes = await readNamedFile(node, name, failure);
  if (bytes.length > largest)
    throw cliError('CLI_FILE_UNREADABLE', `${failure}: it is too large for an answer of a CA: ${bytes.length} bytes`, {
      details: { path: name },
    });
  return new Uint8Array(bytes);
}

async function readInput(input: Invocation['input']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input()) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    size += bytes.length;
    if (size > largest)
      throw cliError(
        'CLI_FILE_UNREADABLE',
        `Cannot read standard input as it is too large for an answer of a CA: more than ${largest} bytes`,
      );
    chunks.push(bytes);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function refusal({ refused, imported }: CertificateImport) {
  if (refused.length === 0) return undefined;
  const placed = imported.filter(({ action }) => action === 'placed').length;
  return cliError(
    'CLI_ANSWERS_REFUSED',
    `Cannot take all that was sent back as ${refused.length} of it was refused, ${placed} taken: ${refused.map(({ name, from }) => name ?? from).join(', ')}`,
    {
      findings: refused.flatMap(({ from, findings }) =>
        findings.map((one) => ({
          ...one,
          message: one.message.includes(from) ? one.message : `${from}: ${one.message}`,
        })),
      ),
    },
  );
}

function documentOf({ imported, refused, remarks, kept, needs }: CertificateImport) {
  return {
    imported: imported.map(({ name, kind, place, answer, intermediates, action, warnings }) => ({
      name,
      kind,
      action,
      place,
      from: answer.file.name,
      ...certificateOf(answer.description),
      intermediates: intermediates.length,
      warnings,
    })),
    refused: refused.map(({ name, from, answer, findings }) => ({
      from,
      ...(name === undefined ? {} : { name }),
      ...(answer === undefined ? {} : certificateOf(answer.description)),
      findings,
    })),
    remarks,
    ...(kept === undefined ? {} : { intermediates: kept }),
    needed: needs
      .filter(({ state }) => state !== 'valid')
      .map(({ name, kind, state, place, findings }) => ({ name, kind, state, place, findings })),
  };
}

function certificateOf({
  subjectText,
  issuerText,
  serialNumber,
  notBefore,
  notAfter,
}: CertificateImport['imported'][number]['answer']['description']) {
  return {
    subject: subjectText,
    issuer: issuerText,
    serialNumber,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
  };
}
