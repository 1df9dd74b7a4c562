import { type Finding, hasErrors, messageOf } from '@groundplane/errors';
import { type KubeconfigRow, kubeconfigRow, kubeconfigTable } from '@groundplane/kubeconfig';
import { phaseCommand, type SuppliedPorts } from '@groundplane/phases';
import {
  type CertificateAuthorityName,
  certificateTable,
  isAuthority,
  isOfEtcd,
  publicKeyOf,
  serviceAccountKeyPair,
} from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifact, serviceAccountKey, serviceAccountPublicKey } from './artifacts.ts';
import { certificateDemand, wantedCertificate, wantedClientCertificate } from './certificate-demands.ts';
import { componentsOfKubeconfig } from './certificate-inventory-rows.ts';
import { type CertificateNeed, type KnownNeed, withoutSecrets } from './certificate-need.ts';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { externalAuthorityNames } from './external-authority-names.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, kubeconfigFactsOf } from './init-context.ts';
import { keyMissing, unverified } from './need-findings.ts';
import { readText } from './read-text.ts';
import { verdictOfPhase } from './verdict-of-phase.ts';
import { keyIn, waitingKey } from './waiting-kubeconfig.ts';

export interface NeedsRequest {
  readonly context: InitContext;
  readonly ports: SuppliedPorts;
  /** CAs to look at. @default those whose key is kept elsewhere, as far as the node tells */
  readonly authorities?: readonly CertificateAuthorityName[] | undefined;
  /** What the node is, or is to be. @default 'control-plane' */
  readonly role?: 'control-plane' | 'worker' | undefined;
  readonly now: Date;
}

/**
 * Everything that a node needs from CAs whose keys are kept elsewhere, with what is there of it already, judged as the phases do
 * it. Changes nothing.
 *
 * @returns in the order of the phases: CA, what it signs; kubeconfigs at the end
 * @throws what the ports throw where files cannot be read
 */
export async function certificateNeeds(request: NeedsRequest): Promise<readonly CertificateNeed[]> {
  return (await knownNeeds(request)).map(withoutSecrets);
}

/** {@link certificateNeeds} with the contents of files, private keys among them. */
export async function knownNeeds(request: NeedsRequest): Promise<readonly KnownNeed[]> {
  const { context, ports } = request;
  if (request.role === 'worker') return workerNeeds(request);
  const names = request.authorities ?? (await externalAuthorityNames(context, ports));
  const isWanted = (name: string) => names.some((wanted) => wanted === name);
  const rows = certificateTable.filter(
    (row) => isWanted(isAuthority(row) ? row.name : row.issuer) && !(isOfEtcd(row) && context.cluster.etcd.external),
  );
  const kubeconfigs = isWanted('ca')
    ? kubeconfigTable.filter(({ name }) => name !== 'admin' || context.adminKubeconfig === undefined)
    : [];
  return [
    ...(await Promise.all(
      rows.map((row) => (isAuthority(row) ? authorityNeed(row, request) : leafNeed(row, request))),
    )),
    ...(isWanted('ca') ? [await serviceAccountNeed(request)] : []),
    ...(await Promise.all(kubeconfigs.map((row) => kubeconfigNeed(row, request)))),
  ];
}

type Row = (typeof certificateTable)[number];

/** A worker has but the kubeconfig of its kubelet, and the CA that this trusts. */
async function workerNeeds(request: NeedsRequest): Promise<readonly KnownNeed[]> {
  const rows = certificateTable.filter(({ name }) => name === 'ca');
  const needs = await Promise.all([
    ...rows.map((row) => authorityNeed(row, request)),
    // There is no API server on the node itself.
    kubeconfigNeed({ ...kubeconfigRow('kubelet'), server: 'control-plane' }, request),
  ]);
  const phases = [phaseCommand('join', 'kubelet-start')];
  return needs.map((need) => ({ ...need, phases, usedBy: ['kubelet'] }));
}

async function authorityNeed(row: Row, { context, ports, now }: NeedsRequest): Promise<KnownNeed> {
  const place = placeIn(context, certificateArtifactsOf(row.name).certificate);
  const users = usersOf(`certs/${row.name}`, row.usedBy);
  const need = { name: row.name, kind: 'authority' as const, place, ...users };
  const content = await readText(ports.host, place);
  if (content === undefined) return { ...need, state: 'missing', findings: [] };
  const findings = await verdictOfCertificate(row.name, { context, now, certificate: content });
  return { ...need, content, ...stateBy(findings) };
}

async function leafNeed(row: Row, { context, ports, now }: NeedsRequest): Promise<KnownNeed> {
  const artifacts = certificateArtifactsOf(row.name);
  const [place, keyPlace] = [placeIn(context, artifacts.certificate), placeIn(context, artifacts.key)];
  const request = wantedCertificate(row, context, now);
  const signing = await signingOf(row.issuer as CertificateAuthorityName, context, ports);
  const { authorityText, ...authority } = signing;
  const need = {
    name: row.name,
    kind: 'certificate' as const,
    place,
    keyPlace,
    ...authority,
    ...usersOf(`certs/${row.name}`, row.usedBy),
    request,
    demand: certificateDemand(request, { issuer: certificateArtifactsOf(row.issuer).certificate.id, now }),
  };
  const [content, key] = await Promise.all([readText(ports.host, place), readText(ports.host, keyPlace)]);
  const there = { ...(content === undefined ? {} : { content }), ...(key === undefined ? {} : { key }) };
  if (content === undefined) return { ...need, ...there, ...(await stateOfKey(key, keyPlace)) };
  if (key === undefined) return { ...need, ...there, state: 'wrong', findings: [keyMissing(place, keyPlace)] };
  if (authorityText === undefined) return { ...need, ...there, state: 'wrong', findings: [unverified(need)] };
  const verdict = { context, now, authority: authorityText, certificate: content, key };
  const findings = await verdictOfCertificate(row.name, verdict);
  return { ...need, ...there, ...stateBy(findings) };
}

async function kubeconfigNeed(row: KubeconfigRow, { context, ports, now }: NeedsRequest): Promise<KnownNeed> {
  const place = placeIn(context, kubeconfigArtifact(row.fileName));
  const request = wantedClientCertificate(row.subject(kubeconfigFactsOf(context)), context, now);
  const { authorityText, ...authority } = await signingOf('ca', context, ports);
  const need = {
    name: row.fileName,
    kind: 'kubeconfig' as const,
    place,
    keyPlace: place,
    ...authority,
    ...usersOf(`kubeconfig/${row.name}`, componentsOfKubeconfig(row.fileName)),
    request,
    row,
    demand: certificateDemand(request, { issuer: certificateArtifactsOf('ca').certificate.id, now }),
  };
  const content = await readText(ports.host, place);
  if (content === undefined) return { ...need, state: 'missing', findings: [] };
  const key = waitingKey(content);
  if (key !== undefined) return { ...need, content, key, ...(await stateOfKey(key, place)) };
  if (authorityText === undefined) return { ...need, content, state: 'wrong', findings: [unverified(need)] };
  const findings = await verdictOfKubeconfig(row, {
    context,
    ports,
    now,
    authority: authorityText,
    kubeconfig: content,
  });
  const ownKey = keyIn(content);
  return { ...need, content, ...(ownKey === undefined ? {} : { key: ownKey }), ...stateBy(findings) };
}

/** What the phase of a certificate says about a text. Without `authority` it is that of a CA. */
export async function verdictOfCertificate(
  name: string,
  {
    context,
    now,
    authority,
    certificate,
    key,
  }: Pick<NeedsRequest, 'context' | 'now'> & {
    readonly authority?: string;
    readonly certificate: string;
    readonly key?: string | undefined;
  },
): Promise<readonly Finding[]> {
  const inputs = authority === undefined ? {} : { authority, authorityKey: undefined };
  return verdictOfPhase(`certs/${name}`, { config: context, now, inputs, outputs: { certificate, key } });
}

/** What the phase of a kubeconfig says about a text. */
export async function verdictOfKubeconfig(
  row: KubeconfigRow,
  {
    context,
    ports,
    now,
    authority,
    kubeconfig,
  }: Pick<NeedsRequest, 'context' | 'ports' | 'now'> & { readonly authority: string; readonly kubeconfig: string },
): Promise<readonly Finding[]> {
  const pem = placeIn(context, kubeletClientCertificate);
  const kubeletPem = await readText(ports.host, pem);
  const inputs = { authority, authorityKey: undefined, kubeletPem };
  return verdictOfPhase(`kubeconfig/${row.name}`, { config: context, now, inputs, outputs: { kubeconfig } });
}

async function serviceAccountNeed({ context, ports }: NeedsRequest): Promise<KnownNeed> {
  const { name, usedBy } = serviceAccountKeyPair;
  const place = placeIn(context, serviceAccountPublicKey);
  const keyPlace = placeIn(context, serviceAccountKey);
  const statuses = await Promise.all([place, keyPlace].map((path) => ports.host.files.status(path)));
  return {
    name,
    kind: 'service-account',
    place,
    keyPlace,
    ...usersOf(`certs/${name}`, usedBy),
    // What is there of it is the affair of its own phase: a public key without the private one may be meant.
    state: statuses.every((status) => status === undefined) ? 'missing' : 'valid',
    findings: [],
  };
}

function usersOf(phase: string, usedBy: readonly string[]) {
  return { phases: [phaseCommand('init', phase)], usedBy };
}

async function signingOf(name: CertificateAuthorityName, context: InitContext, ports: SuppliedPorts) {
  const authorityPlace = placeIn(context, certificateArtifactsOf(name).certificate);
  return { authority: name, authorityPlace, authorityText: await readText(ports.host, authorityPlace) };
}

function stateBy(findings: readonly Finding[]): Pick<KnownNeed, 'state' | 'findings'> {
  return { state: hasErrors(findings) ? 'wrong' : 'valid', findings };
}

async function stateOfKey(key: string | undefined, place: string): Promise<Pick<KnownNeed, 'state' | 'findings'>> {
  if (key === undefined) return { state: 'missing', findings: [] };
  try {
    await publicKeyOf(key);
    return { state: 'requested', findings: [] };
  } catch (thrown) {
    const finding: Finding = {
      code: 'PKI_KEY_UNREADABLE',
      severity: 'error',
      artifact: place,
      message: `${place}: ${messageOf(thrown)}`,
      hint: `Move ${place} away`,
    };
    return { state: 'wrong', findings: [finding] };
  }
}
