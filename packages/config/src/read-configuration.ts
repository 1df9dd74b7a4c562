import type { FlagValues } from './flag.ts';
import { refuseMixedFlags } from './mixed-flags.ts';
import { readDocuments } from './read-documents.ts';
import { type ReadInitConfiguration, readInitDocuments } from './read-init-documents.ts';

export interface ReadOptions {
  /** Flags given on the command line, without those that were not given. */
  readonly flags?: FlagValues;
}

/**
 * Reads the configuration of `init`: documents of a file, or flags, or both where `--config` allows it. Defaults are
 * filled in, values are brought into their normal form and held to kubeadm's rules.
 *
 * @param text the file's content, YAML or JSON; undefined if there is no file and flags alone decide
 * @throws GroundplaneError of kind usage: CONFIG_UNREADABLE, CONFIG_DOCUMENT_MISSING, CONFIG_API_VERSION_UNSUPPORTED,
 *   CONFIG_MIXED_ARGUMENTS; CONFIG_INVALID with all problems as findings, whose artifacts are field paths
 */
export function readInitConfiguration(text: string | undefined, options: ReadOptions = {}): ReadInitConfiguration {
  const flags = options.flags ?? {};
  refuseMixedFlags(flags, text);
  return readInitDocuments(text === undefined ? undefined : readDocuments(text), { flags });
}
