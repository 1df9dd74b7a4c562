import {
  type KubeletRequestOutcome,
  type KubeletSigningRequest,
  kubeletRequestArtifact,
  signKubeletRequests,
  watchKubeletRequests,
} from '@groundplane/bootstrap';
import { kubernetesClusters } from '@groundplane/cluster';
import { goDurationMilliseconds } from '@groundplane/config';
import type { GroundplaneError } from '@groundplane/errors';
import { systemClock } from '@groundplane/host';
import { untilStopped } from '@groundplane/phases/until-stopped';
import { dataFormat } from '../arguments/data-format.ts';
import { chosenSigner } from '../chosen-signer.ts';
import { cliError } from '../error-codes.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost } from '../node-host.ts';
import { givenConfig } from '../read-config-file.ts';
import { kubeletRequestLine } from '../render/kubelet-request-lines.ts';
import { failedDocument, printDocument, printEvent, printText, wantsDocument } from '../render/print-document.ts';
import { printWarnings } from '../render/warning-lines.ts';
import { stoppable } from '../stoppable.ts';
import { loadKubeconfig } from '../tokens/kubeconfig-files.ts';
import { findKubeconfig } from '../tokens/kubeconfig-search.ts';
import { objectJournal } from '../tokens/object-journal.ts';
import { certificateContext, withCertificatesFolder } from './certificate-context.ts';

/** How long a request to the API server goes on retrying passing faults. */
const timeoutMs = 10_000;

/**
 * `certs sign-kubelet-requests`: signs what kubelets ask for, for a controller manager that has no key. With `--watch` a signal is the usual end, so that
 * what became of requests is told then as well.
 *
 * @throws GroundplaneError CLI_REQUESTS_LEFT after all others were signed; CLI_FLAG_VALUE, CLI_FILE_UNREADABLE, those of the configuration and of `signKubeletRequests`
 */
export async function signKubeletRequestsCommand(invocation: Invocation): Promise<void> {
  const limit = timeLimit(invocation);
  if (invocation.flags.watch === true) return watchRequests(invocation, limit);
  return stoppable(signOnce)(invocation);
}

async function signOnce(invocation: Invocation): Promise<void> {
  const { note, ...request } = await signingInput(invocation);
  const onOutcome = (outcome: KubeletRequestOutcome) => {
    tell(invocation, outcome);
    note(outcome);
  };
  const outcomes = await signKubeletRequests({ ...request, onOutcome }, invocation.words);
  await note();
  end(invocation, outcomes, leftOnes(outcomes));
  if (outcomes.length === 0 && !wantsDocument(invocation))
    printText(invocation.output, ['No request of a kubelet waits for its certificate']);
}

async function watchRequests(invocation: Invocation, limit: AbortSignal | undefined): Promise<void> {
  const signal = limit === undefined ? invocation.signal : AbortSignal.any([invocation.signal, limit]);
  const outcomes = new Map<string, KubeletRequestOutcome>();
  let written = async () => {};
  const onOutcome = (outcome: KubeletRequestOutcome, note: NoteOutcome) => {
    outcomes.set(outcome.name, outcome);
    note(outcome);
    tell(invocation, outcome);
    if (outcome.finding !== undefined && !wantsDocument(invocation)) printWarnings(invocation, [outcome.finding]);
  };
  const onInterruption = ({ code, message }: GroundplaneError) =>
    printWarnings(invocation, [{ code, severity: 'warning', artifact: 'the API server', message }]);
  try {
    const { note, ...input } = await signingInput({ ...invocation, signal });
    written = note;
    const request = { ...input, onOutcome: (outcome: KubeletRequestOutcome) => onOutcome(outcome, note) };
    const onGone = (name: string) => outcomes.delete(name);
    // One that waits for a signer or an answer can be left where it is: each change is whole.
    await untilStopped(signal, () =>
      watchKubeletRequests(request, { names: invocation.words, signal, onGone, onInterruption }),
    );
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  }
  await written();
  const all = [...outcomes.values()];
  end(invocation, all, invocation.signal.aborted ? undefined : leftOnes(all));
}

/** @throws GroundplaneError CLI_FLAG_VALUE */
function timeLimit(invocation: Invocation): AbortSignal | undefined {
  const given = textFlag(invocation, 'timeout');
  if (given === undefined) return undefined;
  const milliseconds = goDurationMilliseconds(given);
  const reason =
    invocation.flags.watch !== true
      ? 'it says how long --watch goes on, which is not given'
      : milliseconds > 0 && milliseconds < longestTimer
        ? undefined
        : 'it is no time to go on for';
  if (reason === undefined) return AbortSignal.timeout(milliseconds);
  throw cliError('CLI_FLAG_VALUE', `Cannot use --timeout=${given} as ${reason}`);
}

/** Milliseconds; timers of Node.js take no more. */
const longestTimer = 2 ** 31;

/** Tells what became of a request as soon as it is known; what is left is told for people with the error, or as a warning. */
function tell({ output, flags }: Invocation, outcome: KubeletRequestOutcome): void {
  const format = dataFormat(flags.output);
  if (format === 'jsonl') printEvent(output, { type: 'kubelet-request', ...entryOf(outcome) });
  if (format === undefined && outcome.outcome !== 'left') printText(output, [kubeletRequestLine(outcome)]);
}

function end(invocation: Invocation, outcomes: readonly KubeletRequestOutcome[], failure: Error | undefined): void {
  if (dataFormat(invocation.flags.output) === 'json') {
    const document = { requests: outcomes.map(entryOf) };
    if (failure !== undefined) throw failedDocument(invocation, document, failure);
    printDocument(invocation, document);
  }
  if (failure !== undefined) throw failure;
}

/** Writes what was signed into the journal, one after another. @returns when all of it is written */
type NoteOutcome = (outcome?: KubeletRequestOutcome) => Promise<void>;

async function signingInput(invocation: Invocation): Promise<KubeletSigningRequest & { readonly note: NoteOutcome }> {
  const node = await nodeHost(invocation);
  const { path, text: configText } = await givenConfig(invocation, node);
  // The certificates are for other nodes than this one.
  const signer = await chosenSigner(invocation, { text: configText, node: () => undefined });
  const ports = localPorts({ node, criSocket: () => '', signer });
  const resolved = await certificateContext({ node, ports, path, configText });
  // Which version the cluster has does not matter here.
  printWarnings(
    invocation,
    resolved.warnings.filter(({ code }) => code !== 'CONFIG_VERSION_ASSUMED'),
  );
  const context = withCertificatesFolder(resolved.context, invocation, node);
  const { text: kubeconfig } = await loadKubeconfig(await findKubeconfig(invocation, node), node);
  const cluster = await kubernetesClusters({ clock: systemClock() }).connect({ kubeconfig, timeoutMs });
  const journal = objectJournal(invocation, { node, cluster });
  const { id: artifact, reference } = kubeletRequestArtifact;
  let notes = Promise.resolve();
  const note: NoteOutcome = (outcome) => {
    if (outcome?.outcome === 'signed')
      notes = notes.then(() => journal({ artifact, reference: reference(outcome.name), action: 'extended' }));
    return notes;
  };
  return { context, ports, cluster, approve: invocation.flags.approve === true, note };
}

/** One request as data. */
function entryOf({ name, request, outcome, approved, certificate, finding }: KubeletRequestOutcome) {
  return {
    name,
    outcome,
    ...(request === undefined ? {} : { signerName: request.signerName, requestor: request.username }),
    ...(approved ? { approved } : {}),
    ...(certificate === undefined
      ? {}
      : {
          subject: certificate.subjectText,
          issuer: certificate.issuerText,
          dnsNames: certificate.sans.dnsNames,
          ipAddresses: certificate.sans.ipAddresses,
          serialNumber: certificate.serialNumber,
          notBefore: certificate.notBefore.toISOString(),
          notAfter: certificate.notAfter.toISOString(),
        }),
    ...(finding === undefined ? {} : { finding }),
  };
}

function leftOnes(outcomes: readonly KubeletRequestOutcome[]) {
  const findings = outcomes.flatMap(({ finding }) => (finding === undefined ? [] : [finding]));
  if (findings.length === 0) return undefined;
  const signed = outcomes.filter(({ outcome }) => outcome === 'signed').length;
  const names = outcomes.filter(({ outcome }) => outcome === 'left').map(({ name }) => name);
  return cliError(
    'CLI_REQUESTS_LEFT',
    `Cannot sign all requests of kubelets as ${names.length} had to be left, ${signed} signed: ${names.join(', ')}`,
    { findings },
  );
}
