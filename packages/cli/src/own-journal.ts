import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { GroundplaneConfiguration } from '@groundplane/config';
import type { JournalUser } from '@groundplane/phases';
import type { Invocation } from './invocation.ts';
import { statePaths } from './node-lock.ts';
import { ownProcess, type StateOwner } from './own-process.ts';

/** How the journal is to be kept. */
export type JournalSettings = Pick<GroundplaneConfiguration, 'journal'>;

/**
 * Path of the journal on this node; undefined where none is kept. `GROUNDPLANE_STATE_DIR` comes before the settings, which may be
 * those of a whole cluster, as it is said for this process alone.
 */
export function journalPath(
  settings: JournalSettings | undefined,
  owner: StateOwner = ownProcess(),
): string | undefined {
  if (settings?.journal.disabled === true) return undefined;
  const { journal } = statePaths(owner);
  return owner.environment.GROUNDPLANE_STATE_DIR ? journal : (settings?.journal.path ?? journal);
}

/** This program as the journal names it: `groundplane 0.1.0 (pid 12)`. */
export function actorOf({ program, release }: Pick<Invocation, 'program' | 'release'>): string {
  return `${program} ${release.manifest.version} (pid ${process.pid})`;
}

/** What the kernel says for a process that nobody logged in for. */
const nobodyLoggedIn = 2 ** 32 - 1;

export interface UserFacts extends StateOwner {
  /** Name of the user; undefined if the system knows none. */
  readonly name: string | undefined;
  /** Text of /proc/self/loginuid; undefined where there is none. */
  readonly loginUid: string | undefined;
}

/** Who called this program, as far as the process knows. */
export function callingUser(facts: UserFacts = ownUserFacts()): JournalUser {
  const { uid, name, environment } = facts;
  const sudoUid = userId(environment.SUDO_UID);
  const sudoName = environment.SUDO_USER;
  const loginUid = userId(facts.loginUid?.trim());
  return {
    uid,
    ...(name ? { name } : {}),
    ...(sudoUid === undefined ? {} : { sudo: { uid: sudoUid, ...(sudoName ? { name: sudoName } : {}) } }),
    ...(loginUid === undefined || loginUid === nobodyLoggedIn ? {} : { loginUid }),
  };
}

function userId(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function ownUserFacts(): UserFacts {
  const known = <T>(ask: () => T): T | undefined => {
    try {
      return ask();
    } catch {
      return undefined;
    }
  };
  return {
    ...ownProcess(),
    name: known(() => userInfo().username),
    loginUid: known(() => readFileSync('/proc/self/loginuid', 'utf8')),
  };
}
