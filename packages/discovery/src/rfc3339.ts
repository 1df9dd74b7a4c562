/** Go's time.Parse(time.RFC3339): one digit for the hour and a fraction after a comma pass there, too. */
const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * The time that a text in the format of RFC 3339 names, in milliseconds; undefined if it is none. `Date.parse` takes far more.
 */
export function parseRfc3339(text: string): Date | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '0', sign, offsetHour = '0', offsetMinute = '0'] = match.slice(7);
  const isInRange = hour < 24 && minute < 60 && second < 60 && Number(offsetHour) <= 24 && Number(offsetMinute) <= 60;
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  const isDay = month >= 1 && month <= 12 && time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  if (!isInRange || !isDay) return undefined;
  const minutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? 1 : -1);
  time.setUTCHours(hour, minute + minutes, second, Math.floor(Number(`0.${fraction}`) * 1000));
  return time;
}

/** Format of RFC 3339 in UTC, to the second below: what kubeadm writes. */
export function formatRfc3339(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
