export { controlPlaneCertificates } from './certificates.ts';
export type { ApiObject, ClusterSpecification, NodeSpecification } from './cluster-specification.ts';
export { type CommandResult, type Machine, sshMachine } from './machine.ts';
export type { NodeBundle, NodeFile } from './node-bundle.ts';
export { type NodePlan, planNode, setUpNode } from './nodeup.ts';
export { initBundle, type Provisioning, provision } from './provision.ts';
export { folderStore, kept, type Store } from './store.ts';
export { runTasks, type Task } from './task-graph.ts';
