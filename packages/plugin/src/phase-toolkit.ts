import type {
  Artifact,
  contract,
  Format,
  Layout,
  ObjectReference,
  optional,
  Policy,
  whereApplicable,
} from '@groundplane/phases';

/** A file of the node that a plugin's phase makes. */
export interface FileDefinition<T> {
  /** Unique; what the plugin is called comes first: `example/site-policy.yaml`. */
  readonly id: string;
  readonly description: string;
  readonly path: (layout: Layout) => string;
  readonly format: Format<T>;
  /** @default 'converge' */
  readonly policy?: Policy;
  /** @default 0o644 */
  readonly mode?: number;
  readonly maxMode?: number;
  readonly secret?: true;
}

/** An object of the API that a plugin's phase makes. */
export interface ObjectDefinition {
  readonly id: string;
  readonly description: string;
  readonly reference: ObjectReference;
  /** @default 'converge' */
  readonly policy?: Policy;
}

/**
 * What phases are made with. It comes from the program, so that a plugin and the program speak of the same artifacts, and a plugin needs
 * nothing at run time that it does not bring.
 */
export interface PhaseToolkit {
  readonly contract: typeof contract;
  readonly optional: typeof optional;
  readonly whereApplicable: typeof whereApplicable;
  /**
   * The artifact of a phase of Groundplane: `pki/ca.crt`, `admin.conf`. `groundplane phases describe` lists them.
   *
   * @throws an error if there is none of that id
   */
  artifact<T>(id: string): Artifact<T>;
  file<T>(definition: FileDefinition<T>): Artifact<T>;
  object<T>(definition: ObjectDefinition): Artifact<T>;
  readonly formats: {
    readonly text: Format<string>;
    /** One YAML document. */
    yaml<T>(name: string): Format<T>;
  };
}
