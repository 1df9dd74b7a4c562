export { type BootstrapFindingCode, bootstrapErrorCodes, bootstrapFindingCodes } from './error-codes.ts';
export type { InitContext, MachineFacts } from './init-context.ts';
export { initWorkflow } from './init-workflow.ts';
export { randomToken } from './random-token.ts';
export { type InitRequest, type ResolvedInit, resolveInit } from './resolve-init.ts';
export { type StaticPodManifest, staticPodManifests } from './static-pod-manifests.ts';
export { webCryptoSigner } from './web-crypto-signer.ts';
