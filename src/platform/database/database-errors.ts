import { sleep } from '#lib/abort.ts';

/**
 * What passes without anybody changing a request: among them 57014, a statement that ran into its
 * timeout, behind a lock or a disk that does not answer; 25006, a server that only reads, as a standby
 * does until it is promoted; 28... and 3D000, one that does not let us in; 58..., a disk that fails;
 * EMFILE and ENFILE, no descriptor left for a connection.
 */
const AWAY_CODES =
  /^(?:08...|25006|28...|3D000|53...|57014|57P0[1-5]|58...|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
const AWAY_MESSAGES =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed|not currently accepting connections/i;

/** True where the database, not the statement, is what failed: the caller may come again. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && AWAY_CODES.test(code)
    ? true
    : AWAY_MESSAGES.test(error.message) ||
        (error instanceof AggregateError && error.errors.some(isDatabaseAway)) ||
        isDatabaseAway(error.cause);
}

/** SQLSTATE and constraint of a refusal by PostgreSQL, wherever in the causes it stands. */
export function databaseRefusal(
  error: unknown,
): { readonly code: string; readonly constraint: string | undefined } | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code)
    ? { code, constraint }
    : databaseRefusal(error.cause);
}

/** SQLSTATEs of a transaction that PostgreSQL rolled back in favor of another: it may run again. */
const CONFLICTS = new Set(['40001', '40P01']);

/** True for a serialization failure and for the victim of a deadlock. */
export const isConflict = (error: unknown): boolean =>
  CONFLICTS.has(databaseRefusal(error)?.code ?? '');

/** With the back-off below, about two seconds. */
export const CONFLICT_TRIES = 8;
const BACK_OFF_MS = 15;
const BACK_OFF_MAX_MS = 1_000;

/** Waits after the given failed attempt, from 1: longer each time, at most a second, with jitter. */
export async function backOff(attempt: number, signal?: AbortSignal): Promise<void> {
  const longest = Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** (attempt - 1));
  // Without jitter, two transactions that lost against each other would meet again.
  const ms = longest * (0.5 + Math.random() / 2);
  await sleep(ms, signal);
}

/** Runs a whole transaction again while it loses against others. Throws the last error. */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error) || attempt === CONFLICT_TRIES) {
        throw error;
      }
    }
    await backOff(attempt);
  }
}
