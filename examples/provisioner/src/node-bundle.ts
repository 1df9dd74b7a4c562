import type { ConfigurationDocument } from '@groundplane/bootstrap';
import type { ApiObject } from './cluster-specification.ts';

export interface NodeFile {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

/** Everything that a machine is told: what the provisioner makes for it, and the configuration of our phases. Holds keys. */
export interface NodeBundle {
  readonly role: 'control-plane' | 'worker';
  readonly files: readonly NodeFile[];
  readonly certificates: readonly NodeFile[];
  readonly configuration: readonly ConfigurationDocument[];
  readonly addons: readonly ApiObject[];
}
