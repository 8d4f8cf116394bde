import type { Pool, PoolClient } from 'pg';
import type { Logger, LoggerOptions } from 'pino';
import { databaseRefusal, isDatabaseAway, isNodeAway } from './database-errors.ts';

const REMIND_EVERY_MS = 30_000;
const WARN = 40;
/** One statement timeout says nothing about other statements. */
const STATEMENT_TIMEOUT = '57014';
const FAILED_RECENTLY_MS = 10_000;

/** Errors of connections to the database: their codes alone could come from any other server. */
const connectionErrors = new WeakSet<Error>();

const UNREACHABLE = ['database unreachable', 'database still unreachable'] as const;

/** What fails while the database responds to others, so a response does not end it. */
const PARTIAL_OUTAGES = [
  {
    isMeant: (error: Error) => CHANGES_REFUSED.test(databaseRefusal(error)?.code ?? ''),
    lines: ['database refuses changes', 'database still refuses changes'],
  },
  {
    isMeant: isNodeAway,
    lines: ['database node unreachable', 'database node still unreachable'],
  },
] as const;

/** A read-only server and a full disk: reads still work. */
const CHANGES_REFUSED = /^(?:25006|53100)$/;

interface Outage {
  readonly since: number;
  readonly reminding: NodeJS.Timeout;
  readonly say: (facts: object, message: string) => void;
  /** When the last such error came from a database that responds. */
  failedAt: number;
}

/** A process has one database, whatever number of pools lead to it. */
let outage: Outage | undefined;

/** Longer than a request waits for a connection of the pool. */
const RECENTLY_MS = 10_000;
let respondedAt = Number.NEGATIVE_INFINITY;

/**
 * Logs an unavailable database once, then every 30 seconds, and once when it is back. Every line at
 * level warn or above whose `err` is such an outage is logged at level debug instead.
 */
export const outageHook: NonNullable<LoggerOptions['hooks']> = {
  logMethod(args, method, level) {
    const [facts] = args as unknown[];
    const error = (facts as { err?: unknown } | null | undefined)?.err;
    if (level < WARN || !isOutage(error)) {
      method.apply(this, args);
      return;
    }
    begin(error as Error, (...line) => method.apply(this, line as Parameters<typeof method>));
    (this as Logger).debug(...args);
  },
};

function begin(error: Error, say: Outage['say']): void {
  const partial = PARTIAL_OUTAGES.find(({ isMeant }) => isMeant(error));
  const failedAt = partial ? performance.now() : Number.NEGATIVE_INFINITY;
  if (outage) {
    outage.failedAt = Math.max(outage.failedAt, failedAt);
    return;
  }
  const since = performance.now();
  const [first, still] = partial?.lines ?? UNREACHABLE;
  const remind = () => say({ unreachableFor: lasted(since) }, still);
  outage = { since, say, failedAt, reminding: setInterval(remind, REMIND_EVERY_MS).unref() };
  say({ why: messageOf(error) }, first);
}

/** Records that the database has responded. */
export function noteDatabaseResponse(): void {
  respondedAt = performance.now();
  if (outage && respondedAt - outage.failedAt > FAILED_RECENTLY_MS) {
    const { since, say, reminding } = outage;
    clearInterval(reminding);
    outage = undefined;
    say({ unreachableFor: lasted(since) }, 'database back');
  }
}

/** Marks the errors of a pool's connections as errors of the database. */
export function watchConnections(pool: Pool): void {
  const connect = pool.connect.bind(pool);
  const note = (error: unknown) => {
    if (error instanceof Error) {
      connectionErrors.add(error);
    }
  };
  type Done = (error: Error | undefined, client: PoolClient, release: () => void) => void;
  const noted = (done?: Done) => {
    if (done) {
      return connect((error, client, release) => {
        note(error);
        done(error, client as PoolClient, release);
      });
    }
    return connect().catch((error: unknown) => {
      note(error);
      throw error;
    });
  };
  Object.assign(pool, { connect: noted });
  pool.on('connect', (client) => {
    // Before the pool logs the error, and before the statement under way fails with it.
    client.prependListener('error', note);
    noteDatabaseResponse();
  });
}

/** Returns whether the error means that the database is unavailable. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error &&
  isDatabaseAway(error) &&
  databaseRefusal(error)?.code !== STATEMENT_TIMEOUT &&
  !isPoolBusy(error) &&
  (isConnectionError(error) ||
    databaseRefusal(error) !== undefined ||
    CLIENT_MESSAGES.test(error.message));

/** Returns whether the database works and all connections of the pool were in use for too long. */
const isPoolBusy = ({ message }: Error): boolean =>
  outage === undefined &&
  POOL_TIMEOUT.test(message) &&
  performance.now() - respondedAt < RECENTLY_MS;

const POOL_TIMEOUT = /timeout exceeded when trying to connect/;

const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && (connectionErrors.has(error) || isConnectionError(error.cause));

/** Messages that only `pg` uses. */
const CLIENT_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/;

const messageOf = (error: Error): string =>
  error instanceof AggregateError && error.message === ''
    ? String((error.errors as unknown[])[0])
    : error.message;

const lasted = (since: number): string => `${Math.round((performance.now() - since) / 1_000)} s`;
