/**
 * Waits for something that can be left where it is, as it changes nothing.
 *
 * @param mayLeave asked when the signal aborts; where it says no, the action is to end by itself. @default always
 * @throws the signal's reason as soon as it aborts
 */
export async function untilStopped<T>(
  signal: AbortSignal,
  action: () => Promise<T>,
  mayLeave: () => boolean = () => true,
): Promise<T> {
  let leave = () => {};
  const stopped = new Promise<never>((_, reject) => {
    leave = () => {
      if (mayLeave()) reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([stopped, action()]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
