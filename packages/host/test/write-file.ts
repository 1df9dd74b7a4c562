// Child process of the tests: writes one file through the Files port. Arguments: path, mode (octal), text.
import { localFiles } from '../src/local-files.ts';

const [path = '', mode = '644', text = ''] = process.argv.slice(2);
await localFiles().write(path, new TextEncoder().encode(text), { mode: Number.parseInt(mode, 8) });
