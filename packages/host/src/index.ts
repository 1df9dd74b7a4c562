export { hostErrorCodes } from './error-codes.ts';
export { acquireLock, type Lock } from './exclusive-lock.ts';
export { localHost } from './local-host.ts';
export { readTail } from './read-tail.ts';
export { openRootDirectory, type RootDirectory } from './root-directory.ts';
export { systemClock } from './system-clock.ts';
export { systemEntropy } from './system-entropy.ts';
