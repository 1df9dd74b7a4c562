export { askProgram, type ProgramAnswer, type ProgramQuestion } from './ask-program.ts';
export { hostErrorCodes } from './error-codes.ts';
export { acquireLock, type Lock } from './exclusive-lock.ts';
export { type HttpsGetOptions, type HttpsResult, type HttpsTrust, httpsGet } from './https-get.ts';
export { localHost } from './local-host.ts';
export { readTail } from './read-tail.ts';
export { openRootDirectory, type RootDirectory } from './root-directory.ts';
export { systemClock } from './system-clock.ts';
export { systemEntropy } from './system-entropy.ts';
