import type { StateOwner } from '../node-lock.ts';

/**
 * The folder that plugins are installed into and registered in; undefined where there is none. Root's are the node's, whatever HOME is
 * when a service runs the program; others have their own.
 */
export function pluginsDirectory({ uid, environment }: StateOwner = thisProcess()): string | undefined {
  const { GROUNDPLANE_STATE_DIR: state, XDG_DATA_HOME: data, HOME: home } = environment;
  if (state) return `${state}/plugins`;
  if (uid === 0) return '/var/lib/groundplane/plugins';
  const own = data || (home && `${home}/.local/share`);
  return own ? `${own}/groundplane/plugins` : undefined;
}

/** As `ownProcess`, without what the lock needs: every command asks. */
function thisProcess(): StateOwner {
  return { uid: process.getuid?.() ?? 0, environment: process.env };
}
