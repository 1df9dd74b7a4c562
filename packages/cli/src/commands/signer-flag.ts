import type { FlagRow } from '../arguments/flag-row.ts';

/** Of commands that have certificates signed. */
export const signerCommandFlag: FlagRow = {
  name: 'signer-command',
  type: 'string',
  summary:
    'Program and arguments that sign certificates in place of the keys of the CAs, one text of words; each request is JSON on its standard input',
};
