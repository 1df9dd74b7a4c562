import { readFile } from 'node:fs/promises';
import { recordPath } from '../../inventory-phase.ts';

/**
 * `groundplane inventory show [FOLDER]`. oclif asks no more of a command than these; with arguments and flags to parse, extend `Command` of
 * `@oclif/core` and bundle it.
 */
export default class InventoryShow {
  static readonly summary = 'Print the record of this cluster for the inventory';
  static readonly args = {};
  static readonly flags = {};

  static async run(argv: readonly string[]): Promise<void> {
    const [kubernetes = '/etc/kubernetes'] = argv;
    process.stdout.write(await readFile(recordPath({ kubernetes }), 'utf8'));
  }
}
