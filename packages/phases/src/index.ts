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
export { artifactsOf, creatorsOf, requiredReads } from './declarations.ts';
export { engineFindings, phasesErrorCodes } from './error-codes.ts';
export type { OutputAction } from './evaluation.ts';
export type { ArtifactAction, Decision, Event, JsonValue, Product, Report } from './events.ts';
export { type Graph, type GraphEdge, type GraphNode, graphOf, graphToDot } from './graph.ts';
export { digestOf, type JournalEntry, parseJournal } from './journal.ts';
export { type MountLine, parseMountTable } from './mount-table.ts';
export {
  type AnyPhase,
  type Connect,
  contract,
  type EffectContext,
  type EffectDefinition,
  type Look,
  type Outputs,
  type Phase,
  type PureDefinition,
  type RenderContext,
  type Rendered,
  type VerifyState,
  type WaitOptions,
} from './phase.ts';
export {
  isBlocked,
  type PhasePlan,
  type Plan,
  type PlannedOutput,
  planWorkflow,
  type WorkflowRequest,
} from './plan.ts';
export type * from './ports.ts';
export { type PhaseResult, type RunRequest, type RunResult, runWorkflow } from './run.ts';
export { type Selection, selectPhases } from './selection.ts';
export { type PhaseVerdict, verifyWorkflow } from './verify.ts';
export { defineWorkflow, type Workflow, type WorkflowDefinition } from './workflow.ts';
