import { errorsOf, type Finding, hasErrors, warningsOf } from '@groundplane/errors';
import { parseKubeconfig } from '@groundplane/kubeconfig';
import { type CertificateAuthorityName, decodeBase64, publicKeyOf, splitCertificates } from '@groundplane/pki';
import { misnamed, occupied, superfluous, unknown } from './answer-findings.ts';
import type { KnownNeed } from './certificate-need.ts';
import type { AnswerWrite, ImportedCertificate, ImportRequest, RefusedAnswer } from './import-certificates.ts';
import { type JudgedAnswer, judgeAnswer } from './judge-answer.ts';
import type { Answer } from './read-answers.ts';

export interface LeavesRequest {
  readonly request: ImportRequest;
  readonly needs: readonly KnownNeed[];
  readonly answers: readonly Answer[];
  readonly pool: readonly string[];
  /** CA → PEM of its file, as it is or is going to be. */
  readonly authorityTexts: ReadonlyMap<CertificateAuthorityName, string>;
  /** PEM of those that were dealt with already. */
  readonly settled: ReadonlySet<string>;
}

/** Finds out which requests are answered, and which answer of each is good. */
export async function importLeaves({ request, needs, answers, pool, authorityTexts, settled }: LeavesRequest) {
  const imported: ImportedCertificate[] = [];
  const refused: RefusedAnswer[] = [];
  const remarks: Finding[] = [];
  const writes: AnswerWrite[] = [];
  const keyed = await needsByKey(needs);
  const waiting = new Map<KnownNeed, { readonly answer: Answer; readonly judged: JudgedAnswer }[]>();
  for (const answer of answers.filter(({ certificate }) => !settled.has(certificate))) {
    const candidates = keyed.get(answer.publicKey) ?? [];
    if (candidates.length === 0) {
      if (!answer.description.isCA)
        refused.push({ from: answer.file.name, answer, findings: [unknown(answer, needs)] });
      continue;
    }
    const verdicts = await Promise.all(
      candidates.map(async (need) => {
        const authority = need.authority && authorityTexts.get(need.authority);
        return { need, judged: await judgeAnswer(answer, need, { ...request, authority, pool }) };
      }),
    );
    // Somebody may have laid down one key for several certificates.
    const best = verdicts.find(({ judged }) => !hasErrors(judged.findings)) ?? verdicts[0];
    if (best === undefined) continue;
    const { need, judged } = best;
    if (need.state !== 'requested') {
      const inPlace = splitCertificates(certificateTextOf(need) ?? '')[0];
      if (inPlace === answer.certificate && need.state === 'valid')
        imported.push({ ...entryOf(need, answer, judged), action: 'kept', warnings: [] });
      else
        refused.push({
          from: answer.file.name,
          name: need.name,
          answer,
          findings: [occupied(need, inPlace === answer.certificate)],
        });
    } else if (hasErrors(judged.findings)) {
      refused.push({ from: answer.file.name, name: need.name, answer, findings: errorsOf(judged.findings) });
    } else waiting.set(need, [...(waiting.get(need) ?? []), { answer, judged }]);
  }
  for (const [need, good] of waiting) {
    const [first, ...others] = good.toSorted(
      (a, b) => b.answer.description.notAfter.getTime() - a.answer.description.notAfter.getTime(),
    );
    if (first === undefined) continue;
    const { answer, judged } = first;
    imported.push({ ...entryOf(need, answer, judged), action: 'placed', warnings: warningsOf(judged.findings) });
    writes.push({ need, text: judged.text });
    remarks.push(...others.map((other) => superfluous(need, other.answer)), ...misnamed(need, answer, needs));
  }
  return { imported, refused, remarks, writes };
}

function entryOf({ name, kind, place }: KnownNeed, answer: Answer, { chain }: JudgedAnswer) {
  return { name, kind, place, answer, intermediates: chain.slice(1) };
}

async function needsByKey(needs: readonly KnownNeed[]): Promise<ReadonlyMap<string, readonly KnownNeed[]>> {
  const keyed = new Map<string, KnownNeed[]>();
  for (const need of needs) {
    if (need.key === undefined) continue;
    const publicKey = await publicKeyOf(need.key).catch(() => undefined);
    if (publicKey !== undefined) keyed.set(publicKey, [...(keyed.get(publicKey) ?? []), need]);
  }
  return keyed;
}

/** PEM of the certificate in place, with what stands behind it. */
export function certificateTextOf({ kind, content }: KnownNeed): string | undefined {
  if (content === undefined || kind !== 'kubeconfig') return content;
  try {
    const data = parseKubeconfig(content).users[0]?.user['client-certificate-data'];
    const bytes = data === undefined ? undefined : decodeBase64(data);
    return bytes && new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
