import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { etcdError } from './error-codes.ts';
import type { EtcdMember, EtcdMemberStatus } from './etcd-member.ts';
import { type EtcdRefusal, refusalOf } from './etcd-refusals.ts';

/** Sends one POST request with a JSON body. Whatever is thrown counts as no answer. */
export type EtcdRequest = (
  url: string,
  options: { readonly body: string; readonly signal: AbortSignal },
) => Promise<{ readonly status: number; readonly text: string }>;

export interface EtcdClientOptions {
  /** Client URLs of members: `https://192.0.2.10:2379`. They are asked in this order until one answers. */
  readonly endpoints: readonly string[];
  readonly request: EtcdRequest;
  /** For one answer, in milliseconds. @default 2000, as kubeadm has it */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The Cluster API of etcd, and the part of its Maintenance API that tells health. */
export interface EtcdClient {
  /**
   * The members as a quorum of them has it.
   *
   * @param options.agreed false: as the one that answers knows them, which it does without a quorum as well. @default true
   */
  members(options?: { readonly agreed?: boolean }): Promise<readonly EtcdMember[]>;
  /**
   * Adds a member without a vote. One that is there already is success, as a first answer may have been lost.
   *
   * @throws ETCD_REFUSED
   */
  addLearner(peerUrl: string): Promise<EtcdMember>;
  /** Gives a learner a vote. One that has it is success. @throws ETCD_REFUSED, `learner-behind` until it has all data */
  promote(id: string): Promise<void>;
  /** Takes a member out. One that is not there is success. @throws ETCD_REFUSED */
  remove(id: string): Promise<void>;
  /** What the member at this endpoint says of itself. @throws ETCD_UNREACHABLE */
  status(endpoint: string): Promise<EtcdMemberStatus>;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Talks to etcd by its JSON gateway (etcd, Documentation/dev-guide/api_grpc_gateway; kubeadm: util/etcd/etcd.go asks the same by gRPC).
 *
 * @throws ETCD_UNREACHABLE if no endpoint answers in time; ETCD_ANSWER_UNREADABLE
 */
export function createEtcdClient({ endpoints, request, timeoutMs = 2_000, signal }: EtcdClientOptions): EtcdClient {
  const ask = async (endpoint: string, method: string, body: Json): Promise<Json> => {
    const limit = AbortSignal.timeout(timeoutMs);
    const options = {
      body: JSON.stringify(body),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    };
    let answer: Awaited<ReturnType<EtcdRequest>>;
    try {
      answer = await request(`${endpoint.replace(/\/$/, '')}/v3/${method}`, options);
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = limit.aborted ? `no answer within ${timeoutMs / 1000} s` : messageOf(cause);
      throw etcdError('ETCD_UNREACHABLE', `Cannot reach etcd at ${endpoint} as ${reason}`, { cause });
    }
    return answered(answer, endpoint, method);
  };
  /** Asks one after the other until one answers; what one of them refuses the others would refuse as well. */
  const askAny = async (method: string, body: Json): Promise<Json> => {
    const failures: string[] = [];
    for (const endpoint of endpoints) {
      try {
        return await ask(endpoint, method, body);
      } catch (thrown) {
        signal?.throwIfAborted();
        if (!isGroundplaneError(thrown) || (thrown.code === 'ETCD_REFUSED' && !isOfOneMember(thrown.details.refusal)))
          throw thrown;
        failures.push(thrown.message);
      }
    }
    throw etcdError('ETCD_UNREACHABLE', failures.join('; ') || 'Cannot reach etcd as no endpoint of it is known', {
      hint: 'See whether etcd runs on a quorum of the control-plane nodes: crictl ps --name etcd, and its log',
    });
  };
  const members: EtcdClient['members'] = async ({ agreed = true } = {}) =>
    membersOf(await askAny('cluster/member/list', { linearizable: agreed }));
  return {
    members,
    async addLearner(peerUrl) {
      try {
        const { member } = await askAny('cluster/member/add', { peerURLs: [peerUrl], isLearner: true });
        return memberOf(member);
      } catch (thrown) {
        if (refusalIn(thrown) !== 'peer-exists') throw thrown;
        const there = (await members()).find(({ peerUrls }) => peerUrls.includes(peerUrl));
        if (there === undefined) throw thrown;
        return there;
      }
    },
    async promote(id) {
      await askAny('cluster/member/promote', { ID: id }).catch(unless('not-a-learner'));
    },
    async remove(id) {
      await askAny('cluster/member/remove', { ID: id }).catch(unless('member-not-found'));
    },
    async status(endpoint) {
      const answer = await ask(endpoint, 'maintenance/status', {});
      const {
        header = {},
        version = '',
        leader = '0',
        isLearner = false,
        errors = [],
      } = answer as {
        readonly header?: { readonly member_id?: string };
        readonly version?: string;
        readonly leader?: string;
        readonly isLearner?: boolean;
        readonly errors?: readonly string[];
      };
      return { id: header.member_id ?? '', version, leader: leader === '0' ? undefined : leader, isLearner, errors };
    },
  };
}

/** What a member says of itself alone: another one may be better off. */
function isOfOneMember(refusal: unknown): boolean {
  return refusal === 'no-leader' || refusal === 'timed-out';
}

/** The reason for which etcd refused, if that is what was thrown. */
export function refusalIn(thrown: unknown): EtcdRefusal | undefined {
  if (!isGroundplaneError(thrown) || thrown.code !== 'ETCD_REFUSED') return undefined;
  return thrown.details.refusal as EtcdRefusal;
}

function unless(refusal: EtcdRefusal): (thrown: unknown) => undefined {
  return (thrown) => {
    if (refusalIn(thrown) !== refusal) throw thrown;
    return undefined;
  };
}

function answered(
  { status, text }: { readonly status: number; readonly text: string },
  endpoint: string,
  method: string,
): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw etcdError(
      'ETCD_ANSWER_UNREADABLE',
      `Cannot use the answer at ${endpoint} as it is none of etcd: status ${status}`,
      {
        hint: `See who listens there; etcd itself answers at ${endpoint}/version`,
      },
    );
  if (status === 200) return parsed as Json;
  const { message = `status ${status}` } = parsed as { readonly message?: string };
  throw etcdError('ETCD_REFUSED', `Cannot do ${method.replace('cluster/', '')} as etcd refuses: ${message}`, {
    details: { refusal: refusalOf(message), endpoint },
  });
}

function membersOf({ members }: Json): readonly EtcdMember[] {
  return Array.isArray(members) ? members.map(memberOf) : [];
}

/** The gateway leaves out what is empty or false. */
function memberOf(value: unknown): EtcdMember {
  const {
    ID = '',
    name = '',
    peerURLs = [],
    clientURLs = [],
    isLearner = false,
  } = (value ?? {}) as {
    readonly ID?: string;
    readonly name?: string;
    readonly peerURLs?: readonly string[];
    readonly clientURLs?: readonly string[];
    readonly isLearner?: boolean;
  };
  return { id: ID, name, peerUrls: peerURLs, clientUrls: clientURLs, isLearner };
}
