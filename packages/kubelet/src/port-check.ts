import { answer, type CheckInstance } from './preflight-check.ts';
import { portKey } from './preflight-facts.ts';

/** A check that a TCP port is free, on all addresses unless one is given. */
export function portCheck(port: number, address?: string): CheckInstance {
  return {
    name: `Port-${port}`,
    needs: [address === undefined ? { fact: 'port', port } : { fact: 'port', port, address }],
    evaluate: ({ ports }) => (answer(ports?.[portKey(port, address)]) ? {} : { errors: [`Port ${port} is in use`] }),
  };
}

/** How to mend a port that is in use. */
export const occupiedHint =
  'See who listens with `ss -ltnp`; if that was left by a node that is given up, clean up first: groundplane reset';
