import { GoTemplateError } from './go-value.ts';

/**
 * What an action gives, where templates that stand too deep in one another, or print too much, are an error as others.
 *
 * @throws GoTemplateError
 */
export function withinLimits<T>(action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new GoTemplateError(`template: exceeds what can be handled: ${thrown.message}`);
  }
}
