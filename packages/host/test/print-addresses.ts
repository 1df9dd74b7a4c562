// Child process of the tests: prints the addresses of this network namespace as JSON.
import { localFacts } from '../src/local-facts.ts';

console.log(JSON.stringify(await localFacts(process.env).addresses()));
