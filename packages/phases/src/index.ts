export {
  type Artifact,
  artifactOf,
  type Format,
  formatLocation,
  isOptional,
  type Layout,
  type Location,
  type ObjectFamily,
  type ObjectReference,
  type Optional,
  optional,
  type Policy,
  type Read,
  type Reads,
  type ValueOf,
  type Values,
  whereApplicable,
} from './artifact.ts';
export type { ArtifactOrigin, Origin } from './artifact-origin.ts';
export { isBarred } from './capabilities.ts';
export { artifactsOf, creatorsOf, requiredReads } from './declarations.ts';
export { delegatingCluster, delegatingHost, delegatingPorts } from './delegating-ports.ts';
export type { CertificateDemand, Demand, KeyDemand, KeyEncoding, KubeconfigDemand } from './demand.ts';
export {
  type ArtifactUse,
  type DescribeOptions,
  describeWorkflow,
  type PhaseDescription,
  type WorkflowDescription,
} from './describe.ts';
export { engineFindings, phasesErrorCodes } from './error-codes.ts';
export type { OutputAction } from './evaluation.ts';
export type { ArtifactAction, Decision, Event, JsonValue, Product, Report } from './events.ts';
export { fieldManager } from './field-manager.ts';
export { type Graph, type GraphEdge, type GraphNode, graphOf, graphToDot } from './graph.ts';
export {
  digestOf,
  earlierJournal,
  isJournal,
  type Journal,
  type JournalEntry,
  type JournalUser,
  journalLimit,
  openJournal,
  parseJournal,
  type ReadJournal,
  readJournal,
} from './journal.ts';
export { momentOfAnswer } from './judged-answer.ts';
export { type MountLine, parseMountTable } from './mount-table.ts';
export {
  type AnyPhase,
  type Connect,
  contract,
  type EffectContext,
  type EffectDefinition,
  type Foreseen,
  type Look,
  type Outputs,
  type Phase,
  type PureDefinition,
  type RenderContext,
  type Rendered,
  type Survey,
  type Unseen,
  type VerifyState,
  type WaitOptions,
} from './phase.ts';
export { phaseCommand } from './phase-command.ts';
export {
  hasUnknowns,
  hasWork,
  isBlocked,
  type PhasePlan,
  type Plan,
  planWorkflow,
  type WorkflowRequest,
} from './plan.ts';
export type { PlannedOutput } from './planned-output.ts';
export type * from './ports.ts';
export { type PredictionRequest, predictWorkflow } from './predict.ts';
export { type Reporting, reportingTo } from './reporting.ts';
export { requireSelection, requireTypes, type Wanted, wanted } from './require-arguments.ts';
export { type PhaseResult, type RunRequest, type RunResult, runWorkflow } from './run.ts';
export { securityLevel } from './security-level.ts';
export { covers, phaseName, type Selection, selectPhases } from './selection.ts';
export {
  type ArtifactStatus,
  type PhaseState,
  type PhaseStatus,
  type StatusRequest,
  statusOfWorkflow,
  type WorkflowStatus,
} from './status.ts';
export { isStopped, lookUntilStopped, signalOf } from './stopping.ts';
export { untilStopped } from './until-stopped.ts';
export { type PhaseVerdict, type VerifyRequest, verifyWorkflow } from './verify.ts';
export { defineWorkflow, type Workflow, type WorkflowDefinition } from './workflow.ts';
