const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Two units, the smaller one only if it is not zero. */
function two(seconds: number, [large, largeUnit]: Unit, [small, smallUnit]: Unit): string {
  const rest = Math.trunc((seconds % large) / small);
  return `${Math.trunc(seconds / large)}${largeUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

type Unit = readonly [seconds: number, name: string];
type Row = readonly [below: number, text: (seconds: number) => string];

const one =
  ([size, name]: Unit) =>
  (seconds: number) =>
    `${Math.trunc(seconds / size)}${name}`;

/** Below how many seconds which form counts. */
const forms: readonly Row[] = [
  [2 * minute, one([1, 's'])],
  [10 * minute, (seconds) => two(seconds, [minute, 'm'], [1, 's'])],
  [3 * hour, one([minute, 'm'])],
  [8 * hour, (seconds) => two(seconds, [hour, 'h'], [minute, 'm'])],
  [2 * day, one([hour, 'h'])],
  [8 * day, (seconds) => two(seconds, [day, 'd'], [hour, 'h'])],
  [2 * year, one([day, 'd'])],
  [8 * year, (seconds) => two(seconds, [year, 'y'], [day, 'd'])],
  [Number.POSITIVE_INFINITY, one([year, 'y'])],
];

/** A duration in two to three significant figures: `364d`, `9y`, `<invalid>` for what is over (k8s.io/apimachinery, util/duration, HumanDuration). */
export function humanDuration(seconds: number): string {
  const whole = Math.trunc(seconds);
  if (whole < -1) return '<invalid>';
  if (whole < 0) return '0s';
  const form = forms.find(([below]) => whole < below);
  return form?.[1](whole) ?? '';
}
