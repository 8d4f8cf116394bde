const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;
/** Below this, ticks of a plot may be less than a minute apart. */
const SECONDS_MAX_MS = 10 * MINUTE_MS;

interface TimeLabelOptions {
  readonly locale: string;
  readonly short: (at: number) => string;
  /** The browser's unless it is given. */
  readonly timeZone?: string | undefined;
}

/**
 * Returns the labels of ticks: with seconds if the plot is short, with days if it is long. A text that
 * repeats the one before is left out.
 */
export function timeLabels(
  times: readonly number[],
  periodMs: number,
  { locale, short, timeZone }: TimeLabelOptions,
): string[] {
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
    ...(periodMs < SECONDS_MAX_MS && { second: '2-digit' }),
  });
  const labels = times.map((at) => (periodMs > DAY_MS ? short(at) : clock.format(at)));
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label));
}
