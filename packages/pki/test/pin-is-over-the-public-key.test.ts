import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { publicKeyPin } from '../src/public-key-pin.ts';

const folder = new URL('../../../test/cases/pin-is-over-the-public-key/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const pins = Object.entries(JSON.parse(read('pins.json')) as Readonly<Record<string, string>>);

it.each(pins)('the pin of %s in the case pin-is-over-the-public-key', async (name, pin) => {
  expect(await publicKeyPin(read(name))).toBe(pin);
});

it('a CA that was issued again for its key is another certificate with the same pin', async () => {
  expect(read('ca-reissued.crt')).not.toBe(read('ca.crt'));
  expect(await publicKeyPin(read('ca-reissued.crt'))).toBe(await publicKeyPin(read('ca.crt')));
});
