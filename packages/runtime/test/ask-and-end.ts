// Child process of the tests: asks for the version and comes to its end without process.exit. Argument: path of a CRI socket.
import { criRuntime } from '../src/cri-runtime.ts';

const runtime = criRuntime({ socket: process.argv[2] ?? '', readTail: async () => undefined });
console.log((await runtime.version()).name);
