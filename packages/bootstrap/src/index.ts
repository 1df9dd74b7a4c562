export { type Finding, GroundplaneError, isGroundplaneError } from '@groundplane/errors';
export {
  type ArtifactAction,
  type Clock,
  type Cluster,
  type Clusters,
  type Decision,
  type Entropy,
  type Event,
  type Files,
  type Host,
  type Issued,
  isBlocked,
  type PhasePlan,
  type PhaseResult,
  type PhaseVerdict,
  type Plan,
  type PlannedOutput,
  type Product,
  type Report,
  type RunResult,
  type Runtime,
  type Selection,
  type Signer,
  type SigningRequest,
} from '@groundplane/phases';
export { file as fileArtifact, object as objectArtifact } from './artifacts.ts';
export { type BootstrapPorts, type OpenRuntime, suppliedPorts } from './bootstrap-ports.ts';
export {
  type CertificateExpirationInfo,
  certificateExpirations,
  type ExpiringCertificate,
} from './certificate-expiration.ts';
export {
  type CertificateInventory,
  certificateInventory,
  type InventoryEntry,
  type InventoryRequest,
} from './certificate-inventory.ts';
export type { InventoryKind } from './certificate-inventory-rows.ts';
export type { CertificateNeed, NeedKind, NeedState } from './certificate-need.ts';
export { certificateNeeds, type NeedsRequest } from './certificate-needs.ts';
export type { CertificateOrder, CertificateProfile, CertificateSigner } from './certificate-order.ts';
export {
  type Bootstrap,
  type BootstrapOptions,
  type ConfigurationDocument,
  createBootstrap,
  type InitPreparation,
  type JoinPreparation,
  type ResetPreparation,
} from './create-bootstrap.ts';
export { type DescribeRequest, describeBootstrap } from './describe-bootstrap.ts';
export { exampleNode } from './described-machine.ts';
export { type BootstrapFindingCode, bootstrapErrorCodes, bootstrapFindingCodes } from './error-codes.ts';
export type { ExchangedFile, ExchangeReport } from './exchange-file.ts';
export type { ExtendWorkflow } from './extend-workflow.ts';
export { certificateAuthorityNames } from './external-authority-names.ts';
export {
  type GeneratedRequests,
  type GenerationRequest,
  generateSigningRequests,
} from './generate-signing-requests.ts';
export {
  type CertificateImport,
  type ImportedCertificate,
  type ImportRequest,
  importCertificates,
  type RefusedAnswer,
} from './import-certificates.ts';
export type { InitContext, MachineFacts } from './init-context.ts';
export { initWorkflow } from './init-workflow.ts';
export type { FurtherCertificate, InventoryState } from './inventory-contents.ts';
export type { JoinContext, RegisteredNode } from './join-context.ts';
export { joinWorkflow } from './join-workflow.ts';
export {
  type KubeletRequest,
  type KubeletRequestState,
  kubeletRequestArtifact,
  kubeletSigners,
} from './kubelet-request.ts';
export type { ComponentState, ComponentStatus } from './node-components.ts';
export type { ConfigurationSource } from './node-configuration.ts';
export { type NodeRole, nodeRole } from './node-role.ts';
export { type NodeState, type NodeStatus, type NodeStatusRequest, nodeStatus } from './node-status.ts';
export { type NodeVerdicts, type NodeVerdictsRequest, nodeVerdicts, withRemedies } from './node-verdicts.ts';
export { type PhaseManifest, phaseManifests } from './phase-manifests.ts';
export type { PhaseOptions, PreparedWorkflow, RunOptions } from './prepared-workflow.ts';
export { randomToken } from './random-token.ts';
export type { Answer, AnswerFile } from './read-answers.ts';
export {
  type FileAction,
  type RequestedCertificate,
  type RequestsRequest,
  requestCertificates,
} from './request-certificates.ts';
export { requestingSigner } from './requesting-signer.ts';
export type { ResetContext } from './reset-context.ts';
export { resetWorkflow } from './reset-workflow.ts';
export { type InitRequest, type ResolvedInit, resolveInit } from './resolve-init.ts';
export { type JoinRequest, type ResolvedJoin, resolveJoin } from './resolve-join.ts';
export { type ResetRequest, type ResolvedReset, resolveReset } from './resolve-reset.ts';
export { type JoinCommandProduct, withheldValue } from './show-join-command-phase.ts';
export {
  type KubeletRequestOutcome,
  type KubeletSigningRequest,
  signKubeletRequests,
} from './sign-kubelet-requests.ts';
export { type StoredSettings, settingsOfNode, storedSettings } from './stored-settings.ts';
export { createToken, deleteToken, type ListedTokens, listTokens, tokenArtifact } from './token-operations.ts';
export { tokenWarnings } from './token-warnings.ts';
export { type UserKubeconfig, type UserKubeconfigRequest, userKubeconfig } from './user-kubeconfig.ts';
export { type KubeletWatch, watchKubeletRequests } from './watch-kubelet-requests.ts';
export { webCryptoSigner } from './web-crypto-signer.ts';
export { workerExchange } from './worker-exchange.ts';
