import type { Json } from '#core/schema/json.ts';
import { textOf } from '#core/schema/wire-row.ts';
import type { CachedRead, PointRead, View } from '#core/work.ts';
import { notifiedCache } from './notified-cache.ts';
import type { Changes } from '../notify/changes.ts';
import type { Database } from './database.ts';

interface ViewQuery {
  readonly id: string;
  readonly resolve: (found: Json | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements larger than this gain nothing and would wait for their slowest row. */
const BATCH_MAX = 200;

/**
 * Opens a view on the pool. `instead`, if given, reads what is not cached: a caller that holds a
 * connection must not wait for a second one, because all callers might.
 */
export type OpenView = (subAccountId: string, now: Date, instead?: Database['rows']) => View;

/** The point reads of one kind that wait for the end of a tick, by sub-account. */
type Waiting = Map<string, ViewQuery[]>;

/**
 * Point reads of one kind and sub-account share a statement if they begin in one tick of the event
 * loop. Hot (bench: get-contact), hence SQL.
 */
export function viewer(database: Database, changes: Changes): OpenView {
  const caches = new Map<CachedRead<any>, ReturnType<typeof notifiedCache<object[]>>>();
  const fromCache = (read: CachedRead<any>, subAccountId: string, instead?: Database['rows']) => {
    let find = caches.get(read);
    if (!find) {
      find = notifiedCache(changes, read.tables, (key) => database.rows(read.text, [key]));
      caches.set(read, find);
    }
    return find(subAccountId, instead && ((key) => instead(read.text, [key])));
  };
  const waitingFor = new Map<PointRead, Waiting>();

  const point = (subAccountId: string, read: PointRead, id: string) =>
    new Promise<Json | undefined>((resolve, reject) => {
      const waiting: Waiting = waitingFor.get(read) ?? new Map();
      waitingFor.set(read, waiting);
      const batch = waiting.get(subAccountId);
      if (batch && batch.length < BATCH_MAX) {
        batch.push({ id, resolve, reject });
        return;
      }
      const fresh = [{ id, resolve, reject }];
      waiting.set(subAccountId, fresh);
      setImmediate(() => {
        if (waiting.get(subAccountId) === fresh) {
          waiting.delete(subAccountId);
        }
        void resolveBatch(database, read, { subAccountId, batch: fresh });
      });
    });

  return (subAccountId, now, instead) => ({
    subAccountId,
    now,
    ...readsOf(database, subAccountId),
    point: (read, id) => point(subAccountId, read, id),
    cached: async (read) => ((await fromCache(read, subAccountId, instead)) ?? []) as never,
  });
}

/** Reads that wait for a connection which the sub-account may use. */
function readsOf(
  { reads, rows, wireRows, wirePage }: Pick<Database, 'reads' | 'rows' | 'wireRows' | 'wirePage'>,
  subAccountId: string,
): Pick<View, 'rows' | 'wireRows' | 'wirePage'> {
  const run = async <R>(read: () => Promise<R>): Promise<R> => {
    const leave = await reads.enter(subAccountId);
    try {
      return await read();
    } finally {
      leave();
    }
  };
  return {
    rows: (text, values) => run(() => rows(text, values)),
    wireRows: (text, values) => run(() => wireRows(text, values)),
    wirePage: (text, values, size) => run(() => wirePage(text, values, size)),
  };
}

async function resolveBatch(
  database: Database,
  read: PointRead,
  { subAccountId, batch }: { readonly subAccountId: string; readonly batch: readonly ViewQuery[] },
): Promise<void> {
  try {
    const ids = batch.map(({ id }) => id);
    const found = await database.wireRows(read.text, [subAccountId, ids]);
    const rows = new Map(found.map((row) => [textOf(row, 0), row]));
    for (const { id, resolve } of batch) {
      const row = rows.get(id.toLowerCase());
      resolve(row && read.record.encode(row, 1));
    }
  } catch (error) {
    for (const { reject } of batch) {
      reject(error);
    }
  }
}
