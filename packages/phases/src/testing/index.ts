export type { ContractSubject } from './contract-laboratory.ts';
export { type ContractCase, contractSuite } from './contract-suite.ts';
export { ContractViolation } from './contract-violation.ts';
export { type FakeCertificate, fakeKeyDigest, fakeSigner, parseFakeCertificate } from './fake-signer.ts';
export {
  type FailureOptions,
  KilledError,
  type Memory,
  type MemoryConnection,
  type MemoryContent,
  type MemoryPorts,
  type MemoryPortsOptions,
  type MemorySnapshot,
  memoryPorts,
} from './memory-ports.ts';
export type { WriteRecord } from './memory-state.ts';
