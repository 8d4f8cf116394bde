/** Two columns of a table that name the holder of a row and the time at which its lease ends. */
interface LeaseColumns {
  readonly table: string;
  /** The columns that identify a row; those of most primary keys unless given. */
  readonly keys?: readonly string[];
  readonly holder: string;
  readonly until: string;
  /** A lease that is not renewed for this long ends: its worker was killed, or hangs. */
  readonly durationS: number;
}

/**
 * A lease on rows of one table: at most one holder works on a row. Its conditions become part of hot
 * statements (bench: deliver-webhooks, campaign), hence SQL.
 */
export interface Lease {
  /** How often a holder renews: three times before the lease would end. */
  readonly renewEveryMs: number;
  /** SQL condition: row `row` has a holder now. False, not null, without a row. */
  readonly isHeld: (row: string) => string;
  /** SQL condition: another holder has row `row` now; `by` is the placeholder of this one. */
  readonly isHeldElsewhere: (row: string, by: string) => string;
  /** SQL condition: `by` holds row `row`, and its lease has not ended. */
  readonly isHeldBy: (row: string, by: string) => string;
  /**
   * Assignments for `update … set` of rows that are not held elsewhere. Not a CASE over all rows: in
   * one, Citus does not accept now().
   */
  readonly acquire: (by: string) => string;
  /**
   * A statement that acquires the rows whose keys `source` selects, inserting those that are missing.
   * It returns the keys of the rows that are held now.
   */
  readonly acquireOrInsert: (source: string, by: string) => string;
  /** A statement over the keys and the holder that extends the lease. */
  readonly renew: string;
  /** A statement over the keys and the holder that ends the lease; `returning` reads the row. */
  readonly release: (returning?: string) => string;
  /** A statement over the holder that ends all its leases. */
  readonly releaseAll: string;
  /** By then, a lease that another holder has now ends, unless it is renewed. */
  readonly durationMs: number;
}

const RENEWALS = 10 / 3;
/**
 * A lease that ends later than this many of its durations was acquired by a clock that was ahead: it has
 * ended. More than one duration, since this transaction may have begun before the lease was acquired.
 */
const DURATIONS_MAX = 2;

export function defineLease({
  table,
  keys = ['sub_account_id', 'id'],
  holder,
  until,
  durationS,
}: LeaseColumns): Lease {
  const end = `now() + interval '${durationS} s'`;
  const free = `${holder} = null, ${until} = null`;
  const isLive = (row: string) =>
    `${row}.${until} > now() and ${row}.${until} < now() + interval '${DURATIONS_MAX * durationS} s'`;
  const own = [...keys, holder].map((column, at) => `${column} = $${at + 1}`).join(' and ');
  return {
    renewEveryMs: (durationS * 1_000) / RENEWALS,
    isHeld: (row) => `((${isLive(row)}) is true)`,
    isHeldElsewhere: (row, by) => `((${row}.${holder} <> ${by} and ${isLive(row)}) is true)`,
    isHeldBy: (row, by) => `${row}.${holder} = ${by} and ${isLive(row)}`,
    acquire: (by) => `${holder} = ${by}, ${until} = ${end}`,
    // Its condition avoids now(): Citus accepts only immutable functions there.
    acquireOrInsert: (
      source,
      by,
    ) => `insert into ${table} as l (${keys.join(', ')}, ${holder}, ${until})
    select ${keys.join(', ')}, ${by}, ${end} from (${source}) as wanted
    on conflict (${keys.join(', ')})
    do update set ${holder} = excluded.${holder}, ${until} = excluded.${until}
    where not coalesce(l.${holder} <> excluded.${holder}
      and l.${until} - excluded.${until} > interval '-${durationS} s'
      and l.${until} - excluded.${until} < interval '${(DURATIONS_MAX - 1) * durationS} s', false)
    returning ${keys.map((key) => `l.${key}`).join(', ')}`,
    renew: `update ${table} set ${until} = ${end} where ${own}`,
    release: (returning) =>
      `update ${table} set ${free} where ${own}${returning ? ` returning ${returning}` : ''}`,
    releaseAll: `update ${table} set ${free} where ${holder} = $1`,
    durationMs: durationS * 1_000,
  };
}

interface Renewing {
  readonly execute: (text: string, values: readonly unknown[]) => Promise<unknown>;
}

/**
 * Renews a lease for as long as `act` takes; `held` are the keys and the holder. A renewal that fails
 * is not reported: the lease may be lost then, and what depends on it checks `isHeldBy`.
 */
export async function withLease<T>(
  { renew, renewEveryMs }: Lease,
  held: readonly unknown[],
  { execute }: Renewing,
  act: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(
    () => void execute(renew, held).catch(() => undefined),
    renewEveryMs,
  );
  try {
    return await act();
  } finally {
    clearInterval(renewing);
  }
}

const LEASE_LOST = 'LEASE_LOST';

/** An error for work that must not go on, since another holder has the row by now. */
export const leaseLost = (message: string): Error =>
  Object.assign(new Error(message), { code: LEASE_LOST });

export const isLeaseLost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LEASE_LOST;
