export type {
  CertificateOrder,
  CertificateProfile,
  CertificateSigner,
  InitContext,
  JoinContext,
  ResetContext,
} from '@groundplane/bootstrap';
export type { AnyPhase, Artifact, Demand, Format, Layout, Phase } from '@groundplane/phases';
export type { SignerFactory, SignerParameters } from './certificate-signer.ts';
export type { GroundplanePlugin, PhaseInsertion, PhaseInsertions } from './groundplane-plugin.ts';
export { interfaceVersion } from './interface-version.ts';
export type { FileDefinition, ObjectDefinition, PhaseToolkit } from './phase-toolkit.ts';
