/**
 * The program for a machine: `node nodeup.mjs plan|up`, the bundle on standard input. Each line that it prints is a JSON document.
 * Exit codes: 0 done, 3 something stands against the plan, 1 anything else.
 */
import { text } from 'node:stream/consumers';
import { acquireLock } from '@groundplane/host';
import { linuxPorts } from '@groundplane/linux';
import type { NodeBundle } from './node-bundle.ts';
import { planNode, setUpNode } from './nodeup.ts';

const print = (document: unknown) => process.stdout.write(`${JSON.stringify(document)}\n`);

async function main(command: string | undefined): Promise<number> {
  const bundle = JSON.parse(await text(process.stdin)) as NodeBundle;
  const ports = linuxPorts();
  if (command === 'plan') {
    const plan = await planNode(bundle, ports);
    print(plan);
    return plan.problems.length === 0 ? 0 : 3;
  }
  const lock = await acquireLock('/run/groundplane/lock', { who: 'example provisioner' });
  try {
    // Products of phases may be secret, and this is a log.
    const event = (event: { readonly type: string }) => event.type !== 'result' && print(event);
    await setUpNode(bundle, ports, { task: (task) => print({ task }), event });
    return 0;
  } finally {
    await lock.release();
  }
}

main(process.argv[2]).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  },
);
