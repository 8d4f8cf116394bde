import { Pool, type PoolClient } from 'pg';
import { columnsOf, joinRows, type WireRow } from '#core/schema/wire-row.ts';
import { joinWrites, onlyInserts, type Write } from './deferred-writes.ts';
import { isDatabaseAway } from '../database-errors.ts';
import { isCluster } from '../cluster/nodes.ts';
import { rowsOn, SHARED_LIMITS, SHARED_MAX, wireRowsOn, type Database } from '../database.ts';
import { lazyTransaction } from '../transaction.ts';

/** Statements that run at once; changes that arrive meanwhile share the next one. */
const UNDER_WAY_MAX = SHARED_MAX;
const BATCH_MAX = 8;
/** A statement that takes longer, perhaps behind a lock, no longer delays others. */
const SLOW_MS = 50;

/** The writes of a change that has read nothing and needs no transaction. */
export interface DeferredWrites {
  readonly subAccountId: string;
  readonly writes: readonly Write[];
  /** The writes that return a row, and their total number of columns. */
  readonly wanted: readonly Write[];
  readonly width: number;
}

/** Commits the writes of one change, and returns the columns of the wanted ones. */
export type WriteOut = (writes: DeferredWrites) => Promise<WireRow>;

type Pools = Pick<Database, 'pool' | 'together' | 'rows' | 'transactions'>;

interface WaitingCommit {
  readonly writes: DeferredWrites;
  /** A shared statement failed: it is tried alone. */
  readonly isAlone?: true;
  readonly resolve: (row: WireRow) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: while statements run, changes of a sub-account with the same texts gather and are
 * committed by one statement, because a disk does a limited number of commits per second. Only changes
 * that insert new rows share a statement: of two that change one row, PostgreSQL would apply one. If a
 * shared statement fails, or meets a lock, each change is tried alone. On a cluster they share a transaction:
 * joined, each insert would be planned and run as a subquery of its own, at ten times the cost.
 *
 * A statement takes a place of its sub-account among the transactions: one whose changes wait for a lock
 * does not use all connections.
 */
export function openWriteOut(database: Pools): WriteOut {
  const write = writerOn(database);
  const waiting = openQueue();
  /** Sub-accounts whose share is used: their changes wait for a place. */
  const full = new Set<string>();
  let underWay = 0;

  const commitNext = async (subAccountId: string, leave: () => void) => {
    underWay += 1;
    const done = once(SLOW_MS, () => {
      underWay -= 1;
      start();
    });
    waiting.addFirst(await commitGroup(write, waiting.takeBatch(subAccountId)));
    leave();
    done();
    start();
  };
  const waitForPlace = async (subAccountId: string, place: Promise<() => void>) => {
    full.add(subAccountId);
    try {
      void commitNext(subAccountId, await place);
    } catch (error) {
      waiting.takeAll(subAccountId).forEach(({ reject }) => reject(error));
    } finally {
      full.delete(subAccountId);
      start();
    }
  };
  const start = () => {
    const subAccountId = underWay < UNDER_WAY_MAX ? waiting.firstExcept(full) : undefined;
    if (subAccountId === undefined) {
      return;
    }
    const place = database.transactions.enterNow(subAccountId);
    void (typeof place === 'function'
      ? commitNext(subAccountId, place)
      : waitForPlace(subAccountId, place));
    start();
  };
  return (writes) =>
    new Promise((resolve, reject) => {
      waiting.add({ writes, resolve, reject });
      start();
    });
}

/** The changes that wait, in the order of their arrival. */
function openQueue() {
  let all: WaitingCommit[] = [];
  const of = (subAccountId: string) =>
    all.filter(({ writes }) => writes.subAccountId === subAccountId);
  const take = (taken: readonly WaitingCommit[]) => {
    const left = new Set(taken);
    all = all.filter((one) => !left.has(one));
    return taken;
  };
  return {
    add: (one: WaitingCommit) => void all.push(one),
    addFirst: (some: readonly WaitingCommit[]) => void all.unshift(...some),
    firstExcept: (full: ReadonlySet<string>) =>
      all.find(({ writes }) => !full.has(writes.subAccountId))?.writes.subAccountId,
    takeBatch: (subAccountId: string) => take(nextBatch(of(subAccountId))),
    takeAll: (subAccountId: string) => take(of(subAccountId)),
  };
}

/** Returns the first change and those like it; a power of two, so that few statements are prepared. */
function nextBatch(waiting: readonly WaitingCommit[]): readonly WaitingCommit[] {
  const [first] = waiting;
  if (!first || first.isAlone || !onlyInserts(first.writes.writes)) {
    return waiting.slice(0, 1);
  }
  const alike = waiting.filter((one) => !one.isAlone && isLike(first.writes, one.writes));
  const size = 2 ** Math.floor(Math.log2(Math.min(alike.length, BATCH_MAX)));
  return alike.slice(0, size);
}

const isLike = (one: DeferredWrites, other: DeferredWrites): boolean =>
  one.subAccountId === other.subAccountId &&
  one.wanted.length === other.wanted.length &&
  one.writes.length === other.writes.length &&
  one.writes.every(({ text }, index) => text === other.writes[index]?.text);

/** Calls back when `done` is called or the time has passed, whichever comes first. */
function once(afterMs: number, callBack: () => void): () => void {
  let isCalled = false;
  const call = () => {
    clearTimeout(timer);
    if (!isCalled) {
      isCalled = true;
      callBack();
    }
  };
  const timer = setTimeout(call, afterMs);
  return call;
}

/** Returns the changes to try alone: all, if their shared statement failed. */
async function commitGroup(
  write: WriteGroup,
  batch: readonly WaitingCommit[],
): Promise<readonly WaitingCommit[]> {
  try {
    const row = await write(batch.map(({ writes }) => writes));
    let start = 0;
    for (const { writes, resolve } of batch) {
      resolve(batch.length === 1 ? row : columnsOf(row, start, writes.width));
      start += writes.width;
    }
    return [];
  } catch (error) {
    if (batch.length > 1 && !isDatabaseAway(error)) {
      return batch.map((one) => ({ ...one, isAlone: true }));
    }
    batch.forEach(({ reject }) => reject(error));
    return [];
  }
}

/** Commits changes at once, and returns the columns of their wanted writes. */
type WriteGroup = (queued: readonly DeferredWrites[]) => Promise<WireRow>;

function writerOn(database: Pools): WriteGroup {
  let known: Promise<boolean> | undefined;
  const isOnCluster = () =>
    (known ??= isCluster(database.rows).catch((error: unknown) => {
      known = undefined;
      throw error;
    }));
  return async (queued) => {
    const write = (await isOnCluster()) ? writeTogether : writeJoined;
    return queued.length === 1
      ? write(database.pool, queued)
      : database.together((on) => write(on, queued));
  };
}

/** Writes changes in one transaction, one statement after another. */
async function writeTogether(
  on: Pool | PoolClient,
  queued: readonly DeferredWrites[],
): Promise<WireRow> {
  const [only, ...others] = queued.flatMap(({ writes }) => writes);
  if (only === undefined || others.length === 0) {
    return writeAll(on, queued);
  }
  if (!(on instanceof Pool)) {
    await limitLocksOnNodes(on, queued);
    return writeAll(on, queued);
  }
  const transaction = lazyTransaction({ pool: on });
  try {
    const client = await transaction.client();
    await limitLocksOnNodes(client, queued);
    const row = await writeAll(client, queued);
    await transaction.commit();
    return row;
  } catch (error) {
    await transaction.rollBack();
    throw error;
  }
}

/** Rows are locked on nodes, to which Citus passes on limits of a transaction only if it is told to. */
async function limitLocksOnNodes(
  client: PoolClient,
  queued: readonly DeferredWrites[],
): Promise<void> {
  if (queued.length > 1) {
    await client.query(LIMIT_LOCKS);
  }
}

const LIMIT_LOCKS = `set local citus.propagate_set_commands = 'local';
  set local lock_timeout = ${SHARED_LIMITS.lock_timeout}`;

async function writeAll(
  on: Pool | PoolClient,
  queued: readonly DeferredWrites[],
): Promise<WireRow> {
  const rows: WireRow[] = [];
  for (const one of queued) {
    rows.push(await writeInOrder(on, one));
  }
  return joinRows(rows);
}

/** Writes changes as one statement and returns its row. */
async function writeJoined(
  on: Pool | PoolClient,
  queued: readonly DeferredWrites[],
): Promise<WireRow> {
  const wanted = queued.flatMap((one) => one.wanted);
  const joined = joinWrites(
    queued.flatMap((one) => one.writes),
    wanted,
  );
  return writeOn(on, joined, wanted.length > 0);
}

/**
 * Writes a change inside a transaction, one statement after another, so that each sees the effects of
 * those before it. Returns the columns of the wanted ones, as one statement would.
 */
export async function writeInOrder(
  on: Pool | PoolClient,
  { writes, wanted }: Pick<DeferredWrites, 'writes' | 'wanted'>,
): Promise<WireRow> {
  const rows: WireRow[] = [];
  for (const write of writes) {
    rows.push(await writeOn(on, write, wanted.includes(write)));
  }
  return joinRows(rows);
}

async function writeOn(
  on: Pool | PoolClient,
  { text, values }: Write,
  returnsRow: boolean,
): Promise<WireRow> {
  if (!returnsRow) {
    await rowsOn(on, text, values);
    return joinRows([]);
  }
  return joinRows(await wireRowsOn(on, text, values));
}
