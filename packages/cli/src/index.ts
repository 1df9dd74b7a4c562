export type { ArgumentTable, CommandRow, FlagRow, FlagType, FlagValue } from './arguments/flag-row.ts';
export { type NormalizedArguments, normalizeArguments } from './arguments/normalize-arguments.ts';
export { persistentFlags } from './arguments/persistent-flags.ts';
export { type CatalogOptions, commandCatalog } from './commands/command-catalog.ts';
export { argumentTable } from './commands/command-row.ts';
export { errorCodes } from './error-codes.ts';
export { exitCodeOf } from './exit-code.ts';
export type { Output, ProgramName } from './invocation.ts';
export { type MainOptions, main } from './main.ts';
