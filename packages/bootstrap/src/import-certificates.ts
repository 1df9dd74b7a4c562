import type { Finding } from '@groundplane/errors';
import {
  type CertificateAuthorityName,
  completeChain,
  firstCertificate,
  readAnswer,
  splitCertificates,
} from '@groundplane/pki';
import { unused } from './answer-findings.ts';
import { certificateArtifactsOf, kubeconfigArtifact } from './artifacts.ts';
import { type CertificateNeed, type KnownNeed, withoutSecrets } from './certificate-need.ts';
import { certificateNeeds, knownNeeds, type NeedsRequest } from './certificate-needs.ts';
import { intermediatesFile } from './exchange-artifacts.ts';
import { type ExchangeReport, writeExchanged } from './exchange-file.ts';
import { externalAuthorityNames } from './external-authority-names.ts';
import { placeIn } from './findings-about.ts';
import { type ImportedAuthorities, importAuthorities } from './import-authorities.ts';
import { certificateTextOf, importLeaves, type LeavesRequest } from './import-leaves.ts';
import { type Answer, type AnswerFile, authorityOf, readAnswers } from './read-answers.ts';
import { readText } from './read-text.ts';
import { sharedAuthorityFindings } from './shared-authorities.ts';

export interface ImportRequest extends NeedsRequest, ExchangeReport {
  readonly files: readonly AnswerFile[];
  /** How long certificates have to be valid at least, in milliseconds. @default what the requests ask for, less a hundredth */
  readonly minimumValidityMs?: number | undefined;
  /** True if nothing is to be written. */
  readonly dryRun?: boolean;
}

/** A certificate that belongs to this node. No field is secret. */
export interface ImportedCertificate {
  readonly name: string;
  readonly kind: KnownNeed['kind'];
  readonly place: string;
  readonly answer: Answer;
  /** PEM of the intermediates that were put behind it. */
  readonly intermediates: readonly string[];
  /** `kept`: this very certificate was there already. */
  readonly action: 'placed' | 'kept';
  readonly warnings: readonly Finding[];
}

/** Something of what was sent back that is not put in place. */
export interface RefusedAnswer {
  /** The file that it came in. */
  readonly from: string;
  /** What it was to be; absent if that cannot be told. */
  readonly name?: string;
  readonly answer?: Answer;
  readonly findings: readonly Finding[];
}

export interface CertificateImport {
  readonly imported: readonly ImportedCertificate[];
  readonly refused: readonly RefusedAnswer[];
  /** Nothing to refuse, but worth knowing: what was not needed. */
  readonly remarks: readonly Finding[];
  /** Where intermediates are kept whose certificates are still to come, and how many were added; absent if none were. */
  readonly kept?: { readonly place: string; readonly added: number };
  /** What is needed afterwards; of a dry run what would be. */
  readonly needs: readonly CertificateNeed[];
}

/** A file that is to be written where none is, or where a kubeconfig waits for its certificate. */
export interface AnswerWrite {
  readonly need: KnownNeed;
  readonly text: string;
}

/**
 * Takes what CAs sent back, finds out by the public keys which request each certificate answers, holds it to the request and to what the
 * phases demand, and puts the good ones in place with the intermediates that they need. Everything is judged before the first
 * file is written; each file is written in one step, and none that is there is written over. The answers may come in several portions.
 */
export async function importCertificates(request: ImportRequest): Promise<CertificateImport> {
  const { context, ports, files, dryRun = false } = request;
  const { answers, problems } = await readAnswers(files);
  const authorities = await concernedAuthorities(request, answers);
  const needs = await knownNeeds({ ...request, authorities });
  const cas = await importAuthorities({ ...request, answers, needs });
  const storePlace = placeIn(context, intermediatesFile);
  const store = await readText(ports.host, storePlace);
  const stored = await readable(store ?? '');
  const given = answers.filter(({ description }) => description.isCA);
  const pool = [
    ...given.map(({ certificate }) => certificate),
    ...stored,
    ...(await behindFirst([...cas.texts.values(), ...leafTextsOf(needs)])),
  ];
  const leaves = await importLeaves({
    request,
    needs,
    answers,
    pool,
    authorityTexts: cas.texts,
    settled: new Set(cas.settled),
  });
  const taken = [...cas.imported, ...leaves.imported];
  const settled = new Set(
    [
      ...cas.settled,
      ...taken.flatMap(({ answer, intermediates }) => [answer.certificate, ...intermediates]),
      ...leaves.refused.flatMap(({ answer }) => (answer === undefined ? [] : [answer.certificate])),
    ].filter((text) => !stored.includes(text)),
  );
  const idle = given.filter(({ certificate }) => !settled.has(certificate) && !stored.includes(certificate));
  const { useful, remarks } = await sortIdle(idle, { pool, authorityTexts: cas.texts, now: request.now });
  const writes = [...cas.writes, ...leaves.writes];
  if (!dryRun) {
    for (const write of writes) await put(write, request);
    if (useful.length > 0) {
      const text = [...stored, ...useful].join('');
      const action = store === undefined ? 'created' : 'replaced';
      await writeExchanged({ artifact: intermediatesFile, place: storePlace, text, action }, request);
    }
  }
  const isPlaced = ({ name }: CertificateNeed) => taken.some((one) => one.name === name);
  return {
    imported: taken,
    refused: [
      ...problems.map((finding) => ({ from: finding.artifact, findings: [finding] })),
      ...cas.refused,
      ...leaves.refused,
    ],
    remarks: [...leaves.remarks, ...remarks, ...(await sharedAuthorities(cas, needs))],
    ...(useful.length > 0 ? { kept: { place: storePlace, added: useful.length } } : {}),
    needs: dryRun
      ? needs
          .map(withoutSecrets)
          .map((need) => (isPlaced(need) ? { ...need, state: 'valid' as const, findings: [] } : need))
      : await certificateNeeds({ ...request, authorities }),
  };
}

/** Told with the import that makes it so. */
async function sharedAuthorities({ texts, writes }: ImportedAuthorities, needs: readonly KnownNeed[]) {
  const placed = needs.flatMap(({ name, place }) => {
    const text = texts.get(name as CertificateAuthorityName);
    return text === undefined ? [] : [{ name, place, text }];
  });
  return writes.length === 0 ? [] : sharedAuthorityFindings(placed);
}

/** Those whose keys are kept elsewhere, and those whose certificates are being brought. */
async function concernedAuthorities(
  { authorities, context, ports, role }: ImportRequest,
  answers: readonly Answer[],
): Promise<readonly CertificateAuthorityName[]> {
  if (role === 'worker') return ['ca'];
  const found = authorities ?? (await externalAuthorityNames(context, ports));
  const brought = answers.flatMap((answer) => authorityOf(answer)?.name ?? []);
  return [...new Set([...found, ...brought])];
}

/** Intermediates: those that came with certificates which are in place, and those that somebody has put into the file of a CA. */
function behindFirst(texts: readonly string[]): Promise<readonly string[]> {
  return readable(texts.flatMap((text) => splitCertificates(text).slice(1)).join(''));
}

function leafTextsOf(needs: readonly KnownNeed[]): readonly string[] {
  const leaves = needs.filter(({ kind }) => kind === 'certificate' || kind === 'kubeconfig');
  return leaves.map((need) => certificateTextOf(need) ?? '');
}

/** PEM of each certificate of a text that can be parsed: what is damaged on the node is no reason to refuse what is good. */
async function readable(text: string): Promise<readonly string[]> {
  return text === '' ? [] : (await readAnswer(new TextEncoder().encode(text))).certificates;
}

/** CA certificates that nothing was done with: those that lead to a CA of this node may be needed by what is still to come. */
async function sortIdle(
  idle: readonly Answer[],
  { pool, authorityTexts, now }: Pick<LeavesRequest, 'pool' | 'authorityTexts'> & { readonly now: Date },
) {
  const useful: string[] = [];
  const remarks: Finding[] = [];
  const anchors = [...authorityTexts.values()].map(firstCertificate);
  for (const answer of idle) {
    const { certificate } = answer;
    if (anchors.includes(certificate)) continue;
    const chain = await completeChain({ certificate, candidates: [...pool, ...anchors], anchors: [], now });
    if (chain.some((one) => anchors.includes(one))) useful.push(certificate);
    else remarks.push(unused(answer));
  }
  return { useful, remarks };
}

async function put({ need, text }: AnswerWrite, request: ImportRequest): Promise<void> {
  const { name, kind, place } = need;
  const artifact = kind === 'kubeconfig' ? kubeconfigArtifact(name) : certificateArtifactsOf(name).certificate;
  if (placeIn(request.context, artifact) !== place) throw new TypeError(`'${name}' has two places`);
  const action = need.content === undefined ? 'created' : 'replaced';
  await writeExchanged({ artifact, place, text, action }, request);
}
