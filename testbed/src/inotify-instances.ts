import { readFileSync, writeFileSync } from 'node:fs';

const setting = '/proc/sys/fs/inotify/max_user_instances';
/** systemd, containerd and a kubelet of one machine, with some room. */
const perMachine = 64;

/**
 * Lets so many machines run at the same time: they share the host's limit of inotify instances, and systemd of one that finds
 * none left boots with failed units. The host keeps the limit; it costs nothing where it is not used.
 *
 * @returns what was changed, to be told; undefined if the limit is high enough
 */
export function allowInotifyInstances(machines: number): string | undefined {
  const present = Number(readFileSync(setting, 'utf8'));
  const wanted = 128 + machines * perMachine;
  if (present >= wanted) return undefined;
  writeFileSync(setting, `${wanted}\n`);
  return `fs.inotify.max_user_instances raised from ${present} to ${wanted} for up to ${machines} machines`;
}
