import type { Json } from '#kit/json.ts';
import { json } from '#kit/json.ts';
import type { CachedRead, PointRead, View } from '#kit/work.ts';
import { cached } from './cached.ts';
import type { Changes } from './changes.ts';
import type { Database } from './database.ts';

interface Wanted {
  readonly subAccountId: string;
  readonly id: string;
  readonly resolve: (found: Json | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements larger than this gain nothing and would wait for their slowest row. */
const BATCH_MAX = 200;

/** Opens views on the pool. Point reads that are asked for within one tick share one statement. */
export function viewer(
  database: Database,
  changes: Changes,
): (subAccountId: string, now: Date) => View {
  const kept = new Map<CachedRead<any>, ReturnType<typeof cached<object[]>>>();
  const fromMemory = (read: CachedRead<any>, subAccountId: string) => {
    let find = kept.get(read);
    if (!find) {
      find = cached(changes, read.tables, (key) => database.rows(read.text, [key]));
      kept.set(read, find);
    }
    return find(subAccountId);
  };
  const waiting = new Map<PointRead, Wanted[]>();

  const point = (subAccountId: string, read: PointRead, id: string) =>
    new Promise<Json | undefined>((resolve, reject) => {
      const batch = waiting.get(read);
      if (batch && batch.length < BATCH_MAX) {
        batch.push({ subAccountId, id, resolve, reject });
        return;
      }
      const fresh = [{ subAccountId, id, resolve, reject }];
      waiting.set(read, fresh);
      setImmediate(() => {
        if (waiting.get(read) === fresh) {
          waiting.delete(read);
        }
        void answerTogether(database, read, fresh);
      });
    });

  return (subAccountId, now) => ({
    subAccountId,
    now,
    rows: database.rows,
    texts: database.texts,
    point: (read, id) => point(subAccountId, read, id),
    cached: async (read) => ((await fromMemory(read, subAccountId)) ?? []) as never,
  });
}

async function answerTogether(
  database: Database,
  read: PointRead,
  batch: readonly Wanted[],
): Promise<void> {
  try {
    const found = await database.texts(read.text, [
      batch.map(({ subAccountId }) => subAccountId),
      batch.map(({ id }) => id),
    ]);
    const rows = new Map(found.map((row) => [Number(row[0]), row]));
    batch.forEach(({ resolve }, index) => {
      const row = rows.get(index + 1);
      resolve(row && json(read.record.encode(row, 1)));
    });
  } catch (error) {
    for (const { reject } of batch) {
      reject(error);
    }
  }
}
