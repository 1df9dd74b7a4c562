import { Command, type Interfaces } from '@oclif/core';
import type { CommandRow, FlagValue } from '../arguments/flag-row.ts';
import { persistentFlags } from '../arguments/persistent-flags.ts';
import type { ProgramName } from '../invocation.ts';
import { processInput, processOutput, stopSignal } from '../process-output.ts';
import type { Release, ReleaseManifest } from '../release.ts';
import { argumentTable, type CommandExtras, commandId, commandRow } from './command-row.ts';
import { handlerOf } from './handlers.ts';
import { oclifFlag } from './oclif-flags.ts';

export type CommandClass = typeof Command & { new (argv: string[], config: Interfaces.Config): Command };

/** The class behind every command of ours. What it is called and which flags it has comes from the manifest. */
abstract class CatalogCommand extends Command {
  override async run(): Promise<void> {
    const cached = this.config.findCommand(this.id ?? '', { must: true });
    const row = commandRow(cached);
    const rows = [...row.flags, ...persistentFlags];
    const { flags, argv } = await this.parse({
      flags: Object.fromEntries(rows.map((flag) => [flag.name, oclifFlag(flag)])),
      args: {},
      strict: row.argument === undefined,
    });
    const handle = await handlerOf(row);
    await handle({
      program: this.config.bin as ProgramName,
      release: releaseOf(this.config),
      path: row.path,
      flags: flags as Readonly<Record<string, FlagValue>>,
      words: argv as readonly string[],
      output: processOutput(),
      input: processInput,
      table: argumentTable(this.config.bin, this.config.commands),
      signal: stopSignal(),
    });
  }

  /** Errors are rendered in one place, at the end of the program. */
  override async catch(error: Error): Promise<never> {
    throw error;
  }
}

/** The root plugin keeps the manifest as it was read. */
function releaseOf({ root, pjson, plugins, name }: Interfaces.Config): Release {
  const { manifest } = plugins.get(name) as unknown as { readonly manifest: ReleaseManifest };
  return { root, pjson, manifest };
}

/** A class without statics: enough to run a command that the manifest describes. */
export function lazyCommandClass(): CommandClass {
  return class extends CatalogCommand {} as unknown as CommandClass;
}

/** A class with everything that the manifest is to hold. */
export function describedCommandClass(row: CommandRow, position: number): CommandClass {
  const extras: CommandExtras = {
    kind: row.kind,
    position,
    ...(row.argument === undefined ? {} : { argument: row.argument }),
    flagTypes: Object.fromEntries(row.flags.map((flag) => [flag.name, flag.type])),
    withoutEffect: row.flags.flatMap((flag) => (flag.withoutEffect === true ? [flag.name] : [])),
  };
  const parent = row.path.slice(0, -1);
  const described = class extends CatalogCommand {
    static override readonly summary = row.summary;
    static override readonly hidden = row.hidden ?? false;
    static override readonly aliases = (row.aliases ?? []).map((alias) => commandId([...parent, alias]));
    // The default goes into the manifest for help; what runs is the lazy class, which knows no defaults.
    static override readonly flags = Object.fromEntries(
      row.flags.map((flag) => [flag.name, { ...oclifFlag(flag), default: flag.default } as Interfaces.Flag<unknown>]),
    );
  };
  return Object.assign(described, extras) as unknown as CommandClass;
}
