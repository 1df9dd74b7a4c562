import { readFile } from 'node:fs/promises';
import { recordPath } from '../../inventory-phase.ts';

/**
 * `groundplane inventory show [FOLDER]`. oclif asks no more of a command than this; where there are arguments and flags to parse, extend
 * `Command` of `@oclif/core`, and have it bundled.
 */
const inventoryShow = {
  summary: 'Print the record of this cluster for the inventory',
  args: {},
  flags: {},
  async run(argv: readonly string[]): Promise<void> {
    const [kubernetes = '/etc/kubernetes'] = argv;
    process.stdout.write(await readFile(recordPath({ kubernetes }), 'utf8'));
  },
};

export default inventoryShow;
