import { GroundplaneError } from '@groundplane/errors';
import type { Memory } from '@groundplane/phases/testing';
import { expect, test } from 'vitest';
import { approvedCondition, kubeletRequestObject, signingWorld, start } from '../test/kubelet-request-world.ts';
import type { KubeletRequestOutcome } from './sign-kubelet-requests.ts';
import { watchKubeletRequests } from './watch-kubelet-requests.ts';

/** Watches for so many seconds of a clock that moves by sleep alone; `happens` is told the second at which it is. */
async function watched(
  seconds: number,
  happens: (second: number, memory: Memory) => void,
  options: { readonly refuse?: (second: number) => Error | undefined; readonly names?: readonly string[] } = {},
) {
  const over = new AbortController();
  const told: string[] = [];
  let looks = 0;
  const secondOf = (memory: Memory) => (memory.now().getTime() - start.getTime()) / 1000;
  const { request, memory, status } = await signingWorld({
    onSleep(world) {
      const second = secondOf(world);
      happens(second, world);
      if (second >= seconds) over.abort();
    },
    between: (cluster, world) => ({
      list: async (query) => {
        looks += 1;
        const refusal = options.refuse?.(secondOf(world));
        if (refusal !== undefined) throw refusal;
        return cluster.list(query);
      },
    }),
  });
  happens(0, memory);
  const tell = (kind: string) => told.push(`${secondOf(memory)} ${kind}`);
  const onOutcome = ({ name, outcome }: KubeletRequestOutcome) => tell(`${name} ${outcome}`);
  const left = await watchKubeletRequests(
    { ...request, onOutcome },
    {
      ...(options.names === undefined ? {} : { names: options.names }),
      signal: over.signal,
      onGone: (name) => tell(`${name} gone`),
      onInterruption: ({ code }) => tell(code),
    },
  );
  return { told, left: left.map(({ name }) => name), looks, status };
}

const client = await kubeletRequestObject();
const pending = { ...client, status: { conditions: [] } };
const foreign = await kubeletRequestObject({ name: 'foreign', spec: { username: 'jane' } });

test('what is there and what comes is signed', async () => {
  const later = await kubeletRequestObject({ name: 'later' });
  const { told, left, status } = await watched(100, (second, memory) => {
    if (second === 0) memory.putObject(client);
    if (second === 60) memory.putObject(later);
  });
  expect(told).toEqual(['0 csr-x signed', '60 later signed']);
  expect(left).toEqual([]);
  expect((await status('later'))?.certificate).toBeDefined();
});

test('one that is approved in a moment is not told as left', async () => {
  const { told } = await watched(100, (second, memory) => {
    if (second === 0) memory.putObject(pending);
    if (second === 5) memory.putObject({ ...pending, status: { conditions: [approvedCondition] } });
  });
  expect(told).toEqual(['5 csr-x signed']);
});

test('one that nobody approves is told once, and is left at the end', async () => {
  const { told, left } = await watched(1000, (second, memory) => {
    if (second === 0) memory.putObject(pending);
  });
  expect({ told, left }).toEqual({ told: ['5 csr-x left'], left: ['csr-x'] });
});

test('what is left is looked at after twice as long each time, up to a minute, and its end is told', async () => {
  const looks: number[] = [];
  const { told, left } = await watched(300, (second, memory) => {
    looks.push(second);
    if (second === 0) memory.putObject(foreign);
    if (second === 195) memory.removeObject({ apiVersion: foreign.apiVersion, kind: foreign.kind, name: 'foreign' });
  });
  expect(looks).toEqual([0, 5, 15, 35, 75, 135, 195, 255, 315]);
  expect({ told, left }).toEqual({ told: ['0 foreign left', '195 foreign gone'], left: [] });
});

test('an API that does not answer is told once, and asked again', async () => {
  const { told } = await watched(
    100,
    (second, memory) => {
      if (second === 60) memory.putObject(client);
    },
    {
      refuse: (second) =>
        second >= 60 && second < 80
          ? new GroundplaneError('CLUSTER_UNAVAILABLE', 'no answer', { kind: 'unavailable' })
          : undefined,
    },
  );
  expect(told).toEqual(['60 CLUSTER_UNAVAILABLE', '80 csr-x signed']);
});

test.each([
  ['at the beginning', 0, 'unavailable'],
  ['for another reason', 60, 'refused'],
] as const)('an API that refuses %s ends it', async (_, from, kind) => {
  const refuse = (second: number) => (second >= from ? new GroundplaneError('CLUSTER_X', 'no', { kind }) : undefined);
  await expect(watched(100, () => {}, { refuse })).rejects.toMatchObject({ code: 'CLUSTER_X' });
});

test('others than those that are named are passed over', async () => {
  const other = await kubeletRequestObject({ name: 'other' });
  const { told } = await watched(
    10,
    (second, memory) => {
      if (second > 0) return;
      memory.putObject(client);
      memory.putObject(other);
    },
    { names: ['other'] },
  );
  expect(told).toEqual(['0 other signed']);
});
