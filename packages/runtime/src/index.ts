export { type CriRuntimeOptions, criRuntime } from './cri-runtime.ts';
export { runtimeErrorCodes } from './error-codes.ts';
