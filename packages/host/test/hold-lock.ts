// Child process of the tests: waits for a line on standard input, tries to take a lock, prints the outcome, and holds the lock until
// standard input ends. Arguments: path, who.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isGroundplaneError } from '@groundplane/errors';
import { acquireLock } from '../src/exclusive-lock.ts';

const [path = '', who = ''] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
const closed = once(input, 'close');
console.log('ready');
await once(input, 'line');
try {
  const lock = await acquireLock(path, { who });
  console.log('held');
  await closed;
  await lock.release();
} catch (thrown) {
  console.log(isGroundplaneError(thrown) ? thrown.code : String(thrown));
  input.close();
}
