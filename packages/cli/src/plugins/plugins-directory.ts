import { ownProcess, type StateOwner } from '../own-process.ts';

/**
 * The folder that plugins are installed into and registered in; undefined where there is none. Root's are the node's, whatever HOME is
 * when a service runs the program; others have their own.
 */
export function pluginsDirectory({ uid, environment }: StateOwner = ownProcess()): string | undefined {
  const { GROUNDPLANE_STATE_DIR: state, XDG_DATA_HOME: data, HOME: home } = environment;
  if (state) return `${state}/plugins`;
  if (uid === 0) return '/var/lib/groundplane/plugins';
  const own = data || (home && `${home}/.local/share`);
  return own ? `${own}/groundplane/plugins` : undefined;
}
