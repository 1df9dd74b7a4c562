import { messageOf } from '@groundplane/errors';
import { buildKubeconfig, type KubeconfigRow, serverOf, stringifyKubeconfig } from '@groundplane/kubeconfig';
import type { Host } from '@groundplane/phases';
import {
  asksForTheSame,
  createSigningRequest,
  generatePrivateKey,
  publicKeyOf,
  readSigningRequest,
} from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifact, serviceAccountKey, serviceAccountPublicKey } from './artifacts.ts';
import { type CertificateNeed, type KnownNeed, withoutSecrets } from './certificate-need.ts';
import { knownNeeds, type NeedsRequest } from './certificate-needs.ts';
import { bootstrapError } from './error-codes.ts';
import { requestArtifactOf } from './exchange-artifacts.ts';
import { type ExchangeReport, type ExchangeWrite, writeExchanged } from './exchange-file.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, keyAlgorithmOf, kubeconfigFactsOf } from './init-context.ts';
import { readText } from './read-text.ts';

/** `created` it is new · `kept` it was there and is as it has to be · `replaced` a request that asked for something else. */
export type FileAction = 'created' | 'kept' | 'replaced';

/** A need, and what was made for it. No field is secret. */
export interface RequestedCertificate {
  readonly need: CertificateNeed;
  /** Of the file with the private key; absent where none is needed. */
  readonly key?: FileAction;
  /** The signing request; absent where nothing is to be signed. */
  readonly request?: { readonly place: string; readonly action: FileAction; readonly pem: string };
}

export interface RequestsRequest extends NeedsRequest, ExchangeReport {
  /** Absolute path of a folder for the signing requests. @default each beside its key */
  readonly requestsDirectory?: string | undefined;
  /** True if nothing is to be made: what is needed is told. */
  readonly dryRun?: boolean;
}

/**
 * Makes private keys, which stay on the node, and signing requests for all that a node needs from CAs whose keys are kept elsewhere and does not
 * have. Keys that wait for their certificates are used again; what is there, right or wrong, is left as it is. All requests are made before the
 * first file is written.
 *
 * @throws GroundplaneError BOOTSTRAP_REQUEST_IN_THE_WAY if something else is where a request goes; what the ports throw
 */
export async function requestCertificates(request: RequestsRequest): Promise<readonly RequestedCertificate[]> {
  const { dryRun = false } = request;
  const needs = await knownNeeds(request);
  if (dryRun) return needs.map((need) => ({ need: withoutSecrets(need) }));
  const planned = await Promise.all(needs.map((need) => plan(need, request)));
  for (const { writes } of planned) for (const write of writes) await writeExchanged(write, request);
  return planned.map(({ made }) => ({ ...made, need: withoutSecrets(made.need) }));
}

interface PlannedRequest {
  readonly made: RequestedCertificate & { readonly need: KnownNeed };
  readonly writes: readonly ExchangeWrite[];
}

async function plan(need: KnownNeed, request: RequestsRequest): Promise<PlannedRequest> {
  const { kind, state } = need;
  if (state === 'valid' || state === 'wrong' || kind === 'authority') return { made: { need }, writes: [] };
  return kind === 'service-account' ? planKeyPair(need, request) : planRequest(need, request);
}

async function planKeyPair(need: KnownNeed, { context }: RequestsRequest) {
  const key = await generatePrivateKey(keyAlgorithmOf(context));
  const writes: readonly ExchangeWrite[] = [
    { artifact: serviceAccountKey, place: need.keyPlace ?? '', text: key, action: 'created' },
    { artifact: serviceAccountPublicKey, place: need.place, text: await publicKeyOf(key), action: 'created' },
  ];
  return { made: { need, key: 'created' as const }, writes };
}

async function planRequest(need: KnownNeed, { context, ports: { host }, requestsDirectory }: RequestsRequest) {
  const { name, place, keyPlace = place, kind, request } = need;
  if (request === undefined) throw new TypeError(`nothing is to be signed for ${name}`);
  const key = need.key ?? (await generatePrivateKey(keyAlgorithmOf(context)));
  const requestArtifact = requestArtifactOf(name);
  const requestPlace =
    requestsDirectory === undefined ? placeIn(context, requestArtifact) : `${requestsDirectory}/${name}.csr`;
  const { pem, action } = await signingRequestAt(requestPlace, {
    host,
    made: await createSigningRequest(request, key),
    key,
  });
  const artifact = kind === 'kubeconfig' ? kubeconfigArtifact(name) : certificateArtifactsOf(name).key;
  const keyFile = need.row === undefined ? key : partialKubeconfig(need.row, context, key);
  const writes: readonly ExchangeWrite[] = [
    ...(need.key === undefined ? [{ artifact, place: keyPlace, text: keyFile, action: 'created' as const }] : []),
    ...(action === 'kept' ? [] : [{ artifact: requestArtifact, place: requestPlace, text: pem, action }]),
  ];
  const made: PlannedRequest['made'] = {
    need,
    key: need.key === undefined ? 'created' : 'kept',
    request: { place: requestPlace, action, pem },
  };
  return { made, writes };
}

/** A request that asks for the same stays: a signature of its own would make another file of it each time. */
async function signingRequestAt(
  place: string,
  { host, made, key }: { readonly host: Host; readonly made: string; readonly key: string },
): Promise<{ readonly pem: string; readonly action: FileAction }> {
  const existing = await readText(host, place);
  if (existing === undefined) return { pem: made, action: 'created' };
  if (asksForTheSame(existing, made)) return { pem: existing, action: 'kept' };
  const hint = `Move it away: ${place}`;
  try {
    const { publicKey } = await readSigningRequest(existing);
    if (publicKey === (await publicKeyOf(key))) return { pem: made, action: 'replaced' };
  } catch (thrown) {
    throw bootstrapError(
      'BOOTSTRAP_REQUEST_IN_THE_WAY',
      `Cannot write the signing request as something else is there: ${place}: ${messageOf(thrown)}`,
      { hint, cause: thrown },
    );
  }
  throw bootstrapError(
    'BOOTSTRAP_REQUEST_IN_THE_WAY',
    `Cannot write the signing request as one for another key is there: ${place}`,
    { hint },
  );
}

/** What will become a kubeconfig: it lacks the CA and the certificate (kubeadm: phases/kubeconfig, createKubeConfigAndCSR). */
export function partialKubeconfig(row: KubeconfigRow, context: InitContext, key: string): string {
  const facts = kubeconfigFactsOf(context);
  return stringifyKubeconfig(
    buildKubeconfig({
      clusterName: facts.clusterName,
      server: serverOf(row, facts),
      user: row.subject(facts).commonName,
      clientKey: key,
    }),
  );
}
