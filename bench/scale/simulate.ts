import type { ClusterFigures, Cost } from './compare-cluster.ts';

/** What the simulated installation contains, and does in its busiest hour. */
const CONTACTS = 1_000_000_000;
const SUB_ACCOUNTS = 10_000;
const MONTH_SECONDS = 30 * 86_400;
/** The busiest hour has this many times the requests of an average one. */
const PEAK = 5;
/** Per contact and month. */
const MONTHLY = { get: 4, list: 0.5, create: 1, book: 0.1, deliver: 1 };

/** A machine: how far each of its parts is used. */
const NODE = { cores: 16, coresUsed: 0.6, diskBytes: 3.84e12, diskUsed: 0.7, euros: 150 };

type Work = keyof typeof MONTHLY;

/** The machines that a part of the installation needs, and what fills them. */
interface Part {
  readonly what: string;
  readonly machines: number;
  /** Of a machine's processors and disk at the busiest hour, between 0 and 1. */
  readonly processors: number;
  readonly disk: number;
}

export interface Simulation {
  readonly perSecond: Readonly<Record<Work, number>>;
  readonly parts: readonly Part[];
  readonly eurosPerMonth: number;
  /** Requests per second at which the coordinator, which cannot be divided, has no processor left. */
  readonly coordinatorLimit: number;
}

/** Projects measured costs per request and contact to a large installation. */
export function simulate({ measured, bytesPerContact }: ClusterFigures): Simulation {
  const costs = Object.fromEntries(
    (['get', 'list', 'create', 'book', 'deliver'] as const).map((work, at) => [
      work,
      measured[at]?.cost,
    ]),
  ) as Record<Work, Cost>;
  const perSecond = Object.fromEntries(
    Object.entries(MONTHLY).map(([work, times]) => [
      work,
      (times * CONTACTS * PEAK) / MONTH_SECONDS,
    ]),
  ) as Record<Work, number>;
  const coresOf = (part: keyof Cost) =>
    Object.entries(perSecond).reduce(
      (sum, [work, rate]) => sum + (rate * costs[work as Work][part]) / 1_000,
      0,
    );
  const parts = [
    partOf('coordinator', { cores: coresOf('first'), bytes: 0, atMost: 1 }),
    partOf('nodes', { cores: coresOf('nodes'), bytes: CONTACTS * bytesPerContact }),
    partOf('servers and workers', { cores: coresOf('product'), bytes: 0 }),
  ];
  const requests = Object.values(perSecond).reduce((sum, rate) => sum + rate, 0);
  return {
    perSecond,
    parts,
    eurosPerMonth: parts.reduce((sum, { machines }) => sum + machines * NODE.euros, 0),
    coordinatorLimit: (requests / coresOf('first')) * NODE.cores * NODE.coresUsed,
  };
}

function partOf(
  what: string,
  { cores, bytes, atMost }: { readonly cores: number; readonly bytes: number; atMost?: number },
): Part {
  const byProcessors = cores / (NODE.cores * NODE.coresUsed);
  const byDisk = bytes / (NODE.diskBytes * NODE.diskUsed);
  const machines = Math.max(
    1,
    Math.min(atMost ?? Infinity, Math.ceil(Math.max(byProcessors, byDisk))),
  );
  return {
    what,
    machines,
    processors: cores / machines / NODE.cores,
    disk: bytes / machines / NODE.diskBytes,
  };
}

/** The assumptions as text. */
export const ASSUMPTIONS = `${CONTACTS.toLocaleString('en')} contacts in ${SUB_ACCOUNTS.toLocaleString('en')} sub-accounts; ${Object.entries(
  MONTHLY,
)
  .map(([work, times]) => `${times} ${work}`)
  .join(
    ', ',
  )} per contact and month, ${PEAK} times as much in the busiest hour; machines with ${NODE.cores} cores, used to ${NODE.coresUsed * 100} %, and ${NODE.diskBytes / 1e12} TB, used to ${NODE.diskUsed * 100} %, at ${NODE.euros} € a month`;
