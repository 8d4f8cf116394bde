import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { newId } from '#lib/id.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { expect, test, type TestService } from '../../support/service.ts';

const ROUNDS = 20;
const WRITERS = 8;
const CHANGES = 12;
const HELD_MAX_MS = 8;

const INSERT = `insert into outbox (sub_account_id, id, name, data, occurred_at)
  values ($1, $2, 'task.created', $3, now())`;

const anyMs = () => Math.random() * HELD_MAX_MS;

/** Makes changes one after the other, each committed some time after its event was written. */
async function write({ pool }: Database, subAccountId: string, writer: number): Promise<void> {
  for (let change = 0; change < CHANGES; change += 1) {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(INSERT, [subAccountId, newId(new Date()), { writer, change }]);
    await sleep(anyMs());
    await client.query(change % 5 === 4 ? 'rollback' : 'commit');
    client.release();
  }
}

interface Seen {
  readonly id: string;
  readonly data: { readonly writer: number; readonly change: number };
}

/** Reads the feed until it has caught up with everything committed before `isOver`. */
async function follow(service: TestService, isOver: () => boolean): Promise<Seen[]> {
  const seen: Seen[] = [];
  let after = '';
  for (;;) {
    const wasOver = isOver();
    const limit = 1 + Math.floor(Math.random() * 20);
    const { status, body } = await service.call(`GET /api/v1/events?limit=${limit}${after}`);
    expect(status).toBe(200);
    seen.push(...body.data);
    after = `&after=${body.meta.cursor}`;
    if (wasOver && !body.meta.hasMore) {
      return seen;
    }
  }
}

/** Publishes events as a worker does, until it is stopped. */
async function keepPublishing(database: Database, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await publishAll(database);
    await sleep(anyMs());
  }
}

test('readers of the feed see every event once and in the same order while changes commit in any order', async ({
  service,
}) => {
  const { databaseUrl, subAccountId, otherSubAccountId } = service;
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url: databaseUrl, connections: 12, name: 'writers', log });
  for (let round = 0; round < ROUNDS; round += 1) {
    await database.rows('delete from events');
    const over = new AbortController();
    const isOver = () => over.signal.aborted;
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, writer) =>
        write(database, writer === WRITERS - 1 ? otherSubAccountId : subAccountId, writer),
      ),
    ).finally(() => over.abort());
    const [first, second] = await Promise.all([
      follow(service, isOver),
      follow(service, isOver),
      ...(round % 2 === 0 ? [keepPublishing(database, isOver)] : []),
      writing,
    ]);
    const ids = first.map(({ id }) => id);
    const order = await database.rows<{ id: string }>(
      'select id from events where sub_account_id = $1 order by position',
      [subAccountId],
    );
    expect(ids).toEqual(order.map(({ id }) => id));
    expect(second.map(({ id }) => id)).toEqual(ids);
    for (let writer = 0; writer < WRITERS - 1; writer += 1) {
      const own = first.map(({ data }) => data).filter((data) => data.writer === writer);
      const committed = Array.from({ length: CHANGES }, (_, n) => n).filter((n) => n % 5 !== 4);
      expect(own.map(({ change }) => change)).toEqual(committed);
    }
  }
  await database.close();
});
