import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
// A type alone: this file is the only one on the machine.
import type { WriteTarget } from './write-gate.ts';

// Runs on a machine. The API server tells of each write when it has read the request and has done nothing, and again when the write is
// done and the answer is not sent yet, and waits for a reply each time. So a client can be killed exactly before and exactly after a write.
// Arguments: port · folder, with `client.pid`, the process that is killed, and `target.json`, where; `log.jsonl` is written there ·
// pattern of writes that controllers make as well

interface AuditEvent {
  /** The same for both events of a request. */
  readonly auditID: string;
  readonly stage: string;
  readonly userAgent?: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly responseStatus?: { readonly code?: number };
}

const [port = '', folder = '', sharedPattern = ''] = process.argv.slice(2);
const shared = new RegExp(sharedPattern);
const pidFile = `${folder}/client.pid`;

const moments: Readonly<Record<string, 'before' | 'after'>> = { RequestReceived: 'before', ResponseComplete: 'after' };
/** Different writes, in the order in which they came first, those that controllers make as well apart: how many of them are left is chance. */
const known: Readonly<Record<'own' | 'shared', string[]>> = { own: [], shared: [] };
/** `before create /api/v1/…` of every kill. */
const killed = new Set<string>();
interface Sender {
  readonly pid: number;
  /** Which of its own writes it is; 0 for one that controllers make as well. */
  readonly number: number;
}
/** Ids and stages of what a client was killed at. */
const refused = new Set<string>();
/** Who sent a request, by the id of the request: what is left of a killed process ends when another one runs. */
const senders = new Map<string, Sender>();
/** Process id of the last client, and how many writes of its own it has sent. */
let client = 0;
let sent = 0;

createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', async () => {
    const { items } = JSON.parse(Buffer.concat(pieces).toString()) as { items: readonly AuditEvent[] };
    let kills = false;
    for (const event of items) kills = (await killedFor(event)) || kills;
    // The API server fails a request of which it cannot tell, but asks some times before.
    response.writeHead(kills ? 400 : 200).end();
  });
}).listen(Number(port), '127.0.0.1');

async function killedFor(event: AuditEvent): Promise<boolean> {
  const { auditID, stage, userAgent = '', verb, requestURI, responseStatus } = event;
  const moment = moments[stage];
  if (moment === undefined) return false;
  if (refused.has(`${auditID} ${stage}`)) return true;
  const program = userAgent.replace(/[/ ].*$/, '');
  const write = `${verb} ${requestURI}`;
  const kills = program === 'groundplane' && isTarget(event, moment, write);
  appendFileSync(
    `${folder}/log.jsonl`,
    `${JSON.stringify({ id: auditID, program, moment, write, killed: kills, code: responseStatus?.code })}\n`,
  );
  if (!kills) return false;
  refused.add(`${auditID} ${stage}`);
  process.kill(client, 'SIGKILL');
  while (isAlive(client)) await sleep(5);
  return true;
}

function isTarget({ auditID, responseStatus }: AuditEvent, moment: 'before' | 'after', write: string): boolean {
  const target = JSON.parse(readFileSync(`${folder}/target.json`, 'utf8')) as WriteTarget;
  if (target.at === 'never') return false;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isShared = shared.test(write);
  if (pid !== client) [client, sent] = [pid, 0];
  if (moment === 'before') {
    if (!isShared) sent++;
    senders.set(auditID, { pid, number: isShared ? 0 : sent });
  }
  const sender = senders.get(auditID);
  if (sender?.pid !== client || !isAlive(client)) return false;
  // What was refused changed nothing, and may be tried again by another user.
  if (moment === 'after' && (responseStatus?.code ?? 0) >= 300) return false;
  if (target.at !== 'next') return target.at === moment && target.write === sender.number;
  const list = known[isShared ? 'shared' : 'own'];
  if (!list.includes(write)) list.push(write);
  const isNew = !killed.has(`${moment} ${write}`) && (moment === 'before' || killed.has(`before ${write}`));
  const isChosen = list.indexOf(write) % target.every === 0 && isNew;
  if (isChosen) killed.add(`${moment} ${write}`);
  return isChosen;
}

/** Of a process that has ended and was not waited for nothing runs any more. */
function isAlive(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  try {
    return existsSync(status) && !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'));
  } catch {
    return false;
  }
}
