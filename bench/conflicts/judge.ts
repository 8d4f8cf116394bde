import type { Verdict } from '../soak/load-test.ts';

const STALL_MAX_MS = 5_000;

export interface ConflictOutcome {
  readonly injected: Readonly<Record<string, number>>;
  readonly longestMs: Readonly<Record<string, number>>;
  /** The events that every receiver must get. */
  readonly events: ReadonlySet<string>;
  readonly arrivals: readonly ReadonlyMap<string, number>[];
  /** The number of responses by status; `none` without a response. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly runs: number;
  readonly jobsLeft: number;
  readonly deadlocks: number;
  readonly isAlive: boolean;
}

/** The conditions that hold whichever statement loses a deadlock. */
export function judgeConflicts(outcome: ConflictOutcome): Verdict[] {
  const { injected, longestMs, events, arrivals, statuses, runs, jobsLeft } = outcome;
  const listed = (figures: object) =>
    Object.entries(figures)
      .map(([name, figure]) => `${name} ${Math.round(figure)}`)
      .join(', ');
  const missing = arrivals.map((at) => [...events].filter((id) => !at.has(id)).length);
  const lost = missing.reduce((sum, count) => sum + count, 0);
  const twice = arrivals.flatMap((at) => [...at.values()].filter((times) => times > 1)).length;
  const wrong = [...statuses].filter(([status]) => status === 'none' || status >= '500');
  const deliveries = arrivals.reduce((sum, at) => sum + at.size, 0);
  const isHit = (name: string) => (injected[name] ?? 0) > 0;
  return [
    {
      what: 'deadlocks were injected into every statement',
      figure: `${listed(injected)}; ${outcome.deadlocks} of PostgreSQL's own`,
      isKept: ['publish', 'wake', 'add', 'claim', 'complete'].every(isHit),
    },
    {
      what: 'no lane stalls for 5 s',
      figure: `longest in ms: ${listed(longestMs) || 'none'}`,
      isKept: Object.values(longestMs).every((ms) => ms < STALL_MAX_MS),
    },
    {
      what: 'each event arrived once at each receiver',
      figure: `${events.size} events, ${deliveries} deliveries, ${lost} lost (at most ${Math.max(...missing)} at one receiver), ${twice} more than once`,
      isKept: lost === 0 && twice === 0 && events.size > 0,
    },
    { what: 'workflows ran', figure: `${runs} runs finished`, isKept: runs > 0 },
    {
      what: 'every request gets a response, none a 5xx',
      figure: [...statuses].map(([status, times]) => `${status}: ${times}`).join(', '),
      isKept: wrong.length === 0,
    },
    { what: 'the queue is empty', figure: `${jobsLeft} left`, isKept: jobsLeft === 0 },
    {
      what: 'server and worker are alive',
      figure: String(outcome.isAlive),
      isKept: outcome.isAlive,
    },
  ];
}
