import type { IncomingMessage } from 'node:http';
import { isGroundplaneError } from '@groundplane/errors';
import type { ClusterObject, ObjectQuery, WatchEvent } from '@groundplane/phases';
import { type ApiCaller, isSuccess } from './api-caller.ts';
import { faultOfAnswer } from './api-fault.ts';
import { clusterError } from './error-codes.ts';
import { listObjects, listParameters } from './list-objects.ts';
import { parseAnswer } from './parse-answer.ts';
import { mostBytes, readText, tooLarge, tooLargeCode } from './read-text.ts';
import { systemCodeOf } from './system-code.ts';

interface Options {
  readonly query: ObjectQuery;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** One line of a watch stream; `ERROR` carries a Status. */
interface StreamEvent {
  readonly type: WatchEvent['type'] | 'BOOKMARK' | 'ERROR';
  readonly object: ClusterObject & { readonly code?: number };
}

/** How long the server keeps one stream open. */
const streamSeconds = 240;
/** A stream that is silent for longer than it may be open is one whose other end is gone. */
const silenceMs = (streamSeconds + 30) * 1000;
const headTimeoutMs = 10_000;

/**
 * List, then watch from there, again and again. A stream that ends is taken up where it stopped; where the server no longer
 * knows that point (410), the objects are listed anew and what changed between is told as events. Ends when the signal
 * aborts.
 *
 * @throws GroundplaneError when the server cannot be reached for the caller's timeout, or refuses
 */
export async function* watchObjects(caller: ApiCaller, options: Options): AsyncGenerator<WatchEvent, void, undefined> {
  const known = new Map<string, ClusterObject>();
  try {
    for (;;) {
      const listed = await listObjects(caller, options);
      yield* differences(known, listed.items);
      yield* follow(caller, { ...options, known, resourceVersion: listed.resourceVersion });
    }
  } catch (thrown) {
    if (!options.signal.aborted) throw thrown;
  }
}

/** What a new list says against what was told before. Remembers the new state. */
function* differences(known: Map<string, ClusterObject>, items: readonly ClusterObject[]): Generator<WatchEvent> {
  const current = new Map(items.map((item) => [keyOf(item), item]));
  for (const [key, object] of [...known]) {
    if (current.has(key)) continue;
    known.delete(key);
    yield { type: 'DELETED', object };
  }
  for (const [key, object] of current) {
    const earlier = known.get(key);
    known.set(key, object);
    if (earlier === undefined) yield { type: 'ADDED', object };
    else if (earlier.metadata.resourceVersion !== object.metadata.resourceVersion) yield { type: 'MODIFIED', object };
  }
}

function keyOf({ metadata }: ClusterObject): string {
  return metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Streams events from a version on; returns when the server no longer has it. */
async function* follow(
  caller: ApiCaller,
  options: Options & { readonly known: Map<string, ClusterObject>; readonly resourceVersion: string },
): AsyncGenerator<WatchEvent, void, undefined> {
  let { resourceVersion } = options;
  for (;;) {
    const response = await openStream(caller, { ...options, resourceVersion });
    if (response === undefined) return;
    for await (const event of eventsOf(response, caller.connection.server)) {
      if (event.type === 'ERROR') {
        // 410 Expired, or a fault inside the server: in both cases a new list is the way on.
        await caller.clock.sleep(50, { signal: options.signal });
        return;
      }
      resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
      if (event.type === 'BOOKMARK') continue;
      if (event.type === 'DELETED') options.known.delete(keyOf(event.object));
      else options.known.set(keyOf(event.object), event.object);
      yield { type: event.type, object: event.object };
    }
    // A server that closes every stream at once must not be asked without a pause.
    await caller.clock.sleep(50, { signal: options.signal });
  }
}

/** The stream, or undefined for 410 Gone. Passing faults are retried as in every call. */
async function openStream(
  caller: ApiCaller,
  options: Options & { readonly resourceVersion: string },
): Promise<IncomingMessage | undefined> {
  const parameters = listParameters(options.query, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    timeoutSeconds: String(streamSeconds),
    resourceVersion: options.resourceVersion,
  });
  const attempt = async () => {
    const response = await caller.connection.stream({
      method: 'GET',
      path: `${options.path}?${parameters}`,
      timeoutMs: headTimeoutMs,
      signal: options.signal,
    });
    const status = response.statusCode ?? 0;
    if (isSuccess(status)) {
      response.setTimeout(silenceMs, () => response.destroy());
      return { value: response };
    }
    const text = await readText(response, mostBytes);
    return status === 410 ? { value: undefined } : { fault: faultOfAnswer({ status, text }) };
  };
  return caller.retry<IncomingMessage | undefined>(attempt, {
    what: `watch the list of ${options.query.kind}`,
    signal: options.signal,
  });
}

/** A connection that breaks ends the stream as a clean end does: the watch goes on from the last version seen. */
async function* eventsOf(response: IncomingMessage, server: string): AsyncGenerator<StreamEvent, void, undefined> {
  response.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of response) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > mostBytes) throw tooLarge(mostBytes);
      for (const line of lines) yield parseAnswer<StreamEvent>(line, { what: 'watch objects', server });
    }
  } catch (thrown) {
    if (isGroundplaneError(thrown)) throw thrown;
    if (systemCodeOf(thrown) === tooLargeCode) throw answerTooLarge(server);
  } finally {
    response.destroy();
  }
}

function answerTooLarge(server: string) {
  return clusterError(
    'CLUSTER_ANSWER_INVALID',
    `Cannot watch objects as one event is larger than ${mostBytes} bytes: ${server}`,
  );
}
