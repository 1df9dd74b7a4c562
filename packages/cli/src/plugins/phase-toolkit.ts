import { fileArtifact, initWorkflow, joinWorkflow, objectArtifact, resetWorkflow } from '@groundplane/bootstrap';
import { parseYaml, stringifyYaml } from '@groundplane/manifest';
import {
  type AnyPhase,
  type Artifact,
  artifactsOf,
  contract,
  type Format,
  optional,
  whereApplicable,
} from '@groundplane/phases';
import type { PhaseToolkit } from '@groundplane/plugin';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

function yaml<T>(name: string): Format<T> {
  return {
    name,
    parse: (bytes) => parseYaml(decoder.decode(bytes)) as T,
    serialize: (value) => encoder.encode(stringifyYaml(value)),
  };
}

const text: Format<string> = {
  name: 'text',
  parse: (bytes) => decoder.decode(bytes),
  serialize: (value) => encoder.encode(value),
};

/** What plugins make phases with: the program's own makers and artifacts. */
export const phaseToolkit: PhaseToolkit = {
  contract,
  optional,
  whereApplicable,
  artifact<T>(id: string): Artifact<T> {
    const phases = [initWorkflow, joinWorkflow, resetWorkflow].flatMap(
      (workflow) => workflow.phases as readonly AnyPhase<never>[],
    );
    const found = phases.flatMap(artifactsOf).find((artifact) => artifact.id === id);
    if (found === undefined) throw new TypeError(`there is no artifact '${id}'`);
    return found as Artifact<T>;
  },
  file: ({ policy = 'converge', mode = 0o644, ...row }) => fileArtifact({ ...row, policy, mode }),
  object: ({ id, description, reference, policy }) => objectArtifact(id, description, reference, policy),
  formats: { text, yaml },
};
