import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One step of a case, as `expected.json` has it; the README beside the cases says what the fields mean. */
export interface CaseStep {
  readonly step: number;
  readonly run: string;
  readonly exit: number;
  readonly note?: string;
  readonly extraPreparation?: string;
  readonly host?: string;
  readonly env?: string;
  readonly outputMentions?: readonly string[];
  readonly outputLacks?: readonly string[];
  /** Label of a fact → its value. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export interface MeasuredCase {
  readonly name: string;
  readonly steps: readonly CaseStep[];
}

/** The cases in a folder that were measured with a real program, by name. */
export function measuredCases(folder: string): readonly MeasuredCase[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, ...expectation(join(folder, name)) }))
    .filter(({ measuredWith }) => measuredWith !== null)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

interface Expectation {
  readonly measuredWith: string | null;
  readonly steps: readonly CaseStep[];
}

function expectation(folder: string): Expectation {
  return JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expectation;
}
