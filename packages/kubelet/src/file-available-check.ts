import { answer, type CheckInstance, pathName } from './preflight-check.ts';

/** A check that a file does not exist yet. */
export function fileAvailableCheck(path: string): CheckInstance {
  return {
    name: pathName('FileAvailable', path),
    needs: [{ fact: 'file', path }],
    evaluate: ({ files }) => (answer(files?.[path]) ? { errors: [`${path} already exists`] } : {}),
  };
}

/** What the rows of such checks have in common. */
export const fileAvailableRow = {
  code: 'PREFLIGHT_FILE_EXISTS',
  batch: 'node',
  firstRunOnly: true,
  hint: 'Move it away; if it was left by a node that is given up, clean up first: groundplane reset',
} as const;
