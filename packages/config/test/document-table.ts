import { commandRows } from './command-rows.ts';
import type { Row } from './document-makers.ts';
import { fileRows } from './file-rows.ts';
import { valueRows } from './value-rows.ts';

/** Good and bad configuration files of every kind. */
export const documentTable: readonly Row[] = [...fileRows, ...valueRows, ...commandRows];
