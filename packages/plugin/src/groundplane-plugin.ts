import type { InitContext, JoinContext, ResetContext } from '@groundplane/bootstrap';
import type { AnyPhase } from '@groundplane/phases';
import type { SignerFactory } from './certificate-signer.ts';
import type { PhaseToolkit } from './phase-toolkit.ts';

/** A phase, and the phase of the workflow that it comes after. */
export interface PhaseInsertion<C> {
  readonly phase: AnyPhase<C>;
  /** Name of a phase of Groundplane or of one that the plugin inserts before: `kubeconfig/admin`. */
  readonly after: string;
}

/** What a plugin adds to the workflows. */
export interface PhaseInsertions {
  readonly init?: readonly PhaseInsertion<InitContext>[];
  readonly join?: readonly PhaseInsertion<JoinContext>[];
  readonly reset?: readonly PhaseInsertion<ResetContext>[];
}

/** The default export of the module that `groundplane.plugin` in the plugin's package.json names. */
export interface GroundplanePlugin {
  /** The `interfaceVersion` that the plugin was made for, as a literal: it says what the plugin is, not what it found. */
  readonly interfaceVersion: 1;
  /** Short name for messages: `step`. */
  readonly name: string;
  /** Name of a signer, as `signer.plugin` of the GroundplaneConfiguration has it → what makes it. */
  readonly signers?: Readonly<Record<string, SignerFactory>>;
  readonly phases?: (toolkit: PhaseToolkit) => PhaseInsertions;
}
