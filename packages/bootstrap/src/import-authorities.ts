import { errorsOf, type Finding, hasErrors, warningsOf } from '@groundplane/errors';
import { type CertificateAuthorityName, describeCertificate, firstCertificate } from '@groundplane/pki';
import { certificateArtifactsOf } from './artifacts.ts';
import type { KnownNeed } from './certificate-need.ts';
import { type NeedsRequest, verdictOfCertificate } from './certificate-needs.ts';
import { bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import type { AnswerWrite, ImportedCertificate, RefusedAnswer } from './import-certificates.ts';
import { asAnswer } from './judge-answer.ts';
import { type Answer, authorityOf } from './read-answers.ts';

interface AuthoritiesRequest extends Pick<NeedsRequest, 'context' | 'ports' | 'now'> {
  readonly answers: readonly Answer[];
  readonly needs: readonly KnownNeed[];
}

export interface ImportedAuthorities {
  readonly imported: readonly ImportedCertificate[];
  readonly refused: readonly RefusedAnswer[];
  readonly writes: readonly AnswerWrite[];
  /** CA → PEM of its file, as it is or is going to be. */
  readonly texts: ReadonlyMap<CertificateAuthorityName, string>;
  /** PEM of the certificates that something was said about. */
  readonly settled: readonly string[];
}

/** Finds the certificates of the node's CAs among what was sent back. */
export async function importAuthorities({
  answers,
  needs,
  ...request
}: AuthoritiesRequest): Promise<ImportedAuthorities> {
  const texts = new Map<CertificateAuthorityName, string>();
  const imported: ImportedCertificate[] = [];
  const refused: RefusedAnswer[] = [];
  const writes: AnswerWrite[] = [];
  const authorities = needs.filter(({ kind }) => kind === 'authority');
  for (const need of authorities)
    if (await beginsWithCertificate(need.content)) texts.set(need.name as CertificateAuthorityName, need.content ?? '');
  for (const answer of answers) {
    const claimed = authorityOf(answer);
    const need = authorities.find((one) => one.name === claimed?.name);
    if (claimed === undefined || need === undefined) continue;
    const { name, isTold } = claimed;
    const entry = { name, kind: need.kind, place: need.place, answer, intermediates: [] };
    const isRepeated = imported.some((one) => one.name === name && one.answer.certificate === answer.certificate);
    if (isRepeated) continue;
    const present = texts.get(name);
    if (present !== undefined && firstCertificate(present) === answer.certificate) {
      imported.push({ ...entry, action: 'kept', warnings: [] });
      continue;
    }
    // An intermediate may bear the name of the CA above it.
    if (present !== undefined && !isTold) continue;
    const obstacle = await obstacleTo(need, present, request);
    const verdict = obstacle === undefined ? await verdictOn(answer, need, request) : [obstacle];
    if (hasErrors(verdict)) {
      refused.push({ from: answer.file.name, name, answer, findings: errorsOf(verdict) });
      continue;
    }
    imported.push({ ...entry, action: 'placed', warnings: warningsOf(verdict) });
    writes.push({ need, text: answer.certificate });
    texts.set(name, answer.certificate);
  }
  const settled = [...imported, ...refused].flatMap(({ answer }) => (answer === undefined ? [] : [answer.certificate]));
  return { imported, refused, writes, texts, settled };
}

async function beginsWithCertificate(text: string | undefined): Promise<boolean> {
  return (
    text !== undefined &&
    describeCertificate(text).then(
      () => true,
      () => false,
    )
  );
}

async function obstacleTo(
  { name, place, content }: KnownNeed,
  present: string | undefined,
  { context, ports }: Pick<NeedsRequest, 'context' | 'ports'>,
): Promise<Finding | undefined> {
  const keyPlace = placeIn(context, certificateArtifactsOf(name).key);
  const finding = (message: string, hint: string) =>
    bootstrapFinding({ code: 'BOOTSTRAP_ANSWER_IN_PLACE', severity: 'error', artifact: place, message, hint });
  if (content !== undefined || present !== undefined)
    return finding(
      `Cannot take the certificate for ${name} as another one is in place, or was taken just now: ${place}`,
      `A CA is not replaced: all that the other one signed would be worthless. If that is meant, move ${place} and what it signed away`,
    );
  if ((await ports.host.files.status(keyPlace)) !== undefined)
    return finding(
      `Cannot take the certificate for ${name} as the key of another CA is here: ${keyPlace}`,
      `Move ${keyPlace} away, or let the phase make the CA: init phase certs ${name}`,
    );
  return undefined;
}

async function verdictOn(
  { certificate }: Answer,
  need: KnownNeed,
  { context, now }: Pick<NeedsRequest, 'context' | 'now'>,
): Promise<readonly Finding[]> {
  const findings = await verdictOfCertificate(need.name, { context, now, certificate });
  return findings.map((finding) => asAnswer(finding, need));
}
