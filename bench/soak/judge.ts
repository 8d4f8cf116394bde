import type { Verdict } from './load-test.ts';
import type { Sample } from './sample.ts';
import type { Streams } from './streams.ts';

/** The allowed growth over the second half of a run: a heap fluctuates by this much. */
const GROWTH_MAX_MB = 15;
/** The allowed growth per hour if the second half takes about an hour: a leak then exceeds those fluctuations. */
const HOURLY_GROWTH_MAX_MB = 2;
const LONG_HALF_MINUTES = 55;

export interface Outcome {
  readonly samples: readonly Sample[];
  /** The number of responses by status; `none` without a response. */
  readonly statuses: ReadonlyMap<string, number>;
  /** The number of arrivals by event id. */
  readonly streams: Pick<Streams, 'opened' | 'changes' | 'broken' | 'lastBreak'>;
  readonly arrivals: ReadonlyMap<string, number>;
  /** The events that the receiver must get. */
  readonly events: ReadonlySet<string>;
  readonly jobsLeft: number;
}

/** The conditions that hold for any duration. */
export function judge(outcome: Outcome): Verdict[] {
  const { samples, statuses, streams, arrivals, events, jobsLeft } = outcome;
  const half = samples.slice(Math.floor(samples.length / 2));
  const memory = (['serve', 'worker'] as const).map((process) => {
    const perMinute = slopeOf(half, (sample) => sample[process].residentMb);
    const minutes = (half.at(-1)?.minutes ?? 0) - (half[0]?.minutes ?? 0);
    const last = half.at(-1)?.[process].residentMb ?? 0;
    return {
      what: `memory of ${process} is flat`,
      figure: `${last.toFixed(0)} MB, ${(perMinute * 60).toFixed(1)} MB/h in the second half`,
      isKept:
        minutes >= LONG_HALF_MINUTES
          ? perMinute * 60 <= HOURLY_GROWTH_MAX_MB
          : perMinute * minutes <= GROWTH_MAX_MB,
    };
  });
  const wrong = [...statuses].filter(([status]) => status === 'none' || status >= '500');
  const lost = [...events].filter((id) => !arrivals.has(id)).length;
  const twice = [...arrivals.values()].filter((times) => times > 1).length;
  return [
    ...memory,
    {
      what: 'every request gets a response, none a 5xx',
      figure: [...statuses].map(([status, times]) => `${status}: ${times}`).join(', '),
      isKept: wrong.length === 0,
    },
    {
      what: 'pages of the console see changes, and no stream breaks',
      figure:
        `${streams.opened} streams, ${streams.changes} changes, ${streams.broken} broken ${streams.lastBreak}`.trim(),
      isKept: streams.changes > 0 && streams.broken === 0,
    },
    { what: 'the queue is empty', figure: `${jobsLeft} left`, isKept: jobsLeft === 0 },
    {
      what: 'each event arrived once',
      figure: `${events.size} events, ${lost} lost, ${twice} more than once`,
      isKept: lost === 0 && twice === 0,
    },
  ];
}

/** The slope of the regression line, per minute. */
function slopeOf(samples: readonly Sample[], valueOf: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const meanX = mean(samples.map(({ minutes }) => minutes));
  const meanY = mean(samples.map(valueOf));
  const over = samples.reduce(
    (sum, one) => sum + (one.minutes - meanX) * (valueOf(one) - meanY),
    0,
  );
  const under = samples.reduce((sum, one) => sum + (one.minutes - meanX) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
