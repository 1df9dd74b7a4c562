/** How often something is said again that has not changed. */
const repeatMs = 10_000;

/**
 * Lets a message through if it says something new, or was not said for a while. How often something was tried is not new.
 *
 * @param monotonicMs a clock in milliseconds that never goes back
 */
export function progressFilter(monotonicMs: () => number): (message: string) => boolean {
  let said: { readonly about: string; readonly at: number } | undefined;
  return (message) => {
    const about = message.replace(/ \(attempt [^()]*\)$/, '');
    const at = monotonicMs();
    if (said?.about === about && at - said.at < repeatMs) return false;
    said = { about, at };
    return true;
  };
}
