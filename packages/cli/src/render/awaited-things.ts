import type { Event } from '@groundplane/phases';
import { durationText } from './duration-text.ts';

type Waiting = Extract<Event, { type: 'waiting' }>;

/** What is awaited at the moment, of which several things may be at the same time. */
export interface AwaitedThings {
  /** Takes notice of any event: waits begin and go on, progress and the end of a phase end them. */
  note(event: Event): void;
  /**
   * The live text of the last waiting event, from the longest form to the shortest: the names of everything awaited, the
   * newest reason, then how long it may go on. URLs are left out.
   */
  forms(event: Waiting): readonly string[];
}

/** Follows the waits of a run; phases run one after the other, the waits of one phase side by side. */
export function awaitedThings(): AwaitedThings {
  /** Name → reason, in the order the waits began. */
  const reasons = new Map<string, string>();
  let newest: string | undefined;
  const forget = (name: string) => {
    reasons.delete(name);
    if (newest === name) newest = undefined;
  };
  return {
    note(event) {
      if (event.type === 'waiting') {
        const name = withoutUrls(event.subject);
        const reason = withoutUrls(event.reason);
        // Each thing repeats its reason; only one that is new takes the place of what is shown.
        if (newest === undefined || reasons.get(name) !== reason) newest = name;
        reasons.set(name, reason);
      } else if (event.type === 'progress') {
        for (const name of reasons.keys()) if (event.message.startsWith(`${name} `)) forget(name);
      } else if (event.type !== 'finding' && event.type !== 'artifact') {
        reasons.clear();
        newest = undefined;
      }
    },
    forms(event) {
      const names = [...reasons.keys()];
      const name = newest ?? withoutUrls(event.subject);
      const reason = reasons.get(name) ?? withoutUrls(event.reason);
      const time = `(${durationText(event.elapsedMs)} of ${durationText(event.timeoutMs)})`;
      const whose = names.length > 1 ? `${name}: ` : '';
      const all = names.join(', ');
      return [
        `waiting for ${all}: ${whose}${reason} ${time}`,
        `waiting for ${all}: ${reason} ${time}`,
        `${all}: ${reason} ${time}`,
        `${names.map((long) => long.replace(/^kube-/, '')).join(', ')}: ${reason} ${time}`,
      ];
    },
  };
}

/** One line without URLs: `kube-apiserver at https://192.0.2.1:6443/livez` is `kube-apiserver`. */
function withoutUrls(text: string): string {
  return text
    .replaceAll(/(?:\s+(?:at|from|to))?\s*"?https?:\/\/[^\s",;]*[^\s",;:.)]"?/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
