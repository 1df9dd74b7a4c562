// Child process of the tests: prints how many CPUs it may use.
import { localFacts } from '../src/local-facts.ts';

console.log(await localFacts(process.env).cpus());
