import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import type { Notifications } from '#core/tools.ts';
import { noChanges } from '#platform/notify/changes.ts';
import { followChanges } from '../../../src/console/changes/follow-changes.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newThread, patched, post } from '../../conversations/conversations.support.ts';

const NOTE = { channel: 'email', bodyText: 'A note', isInternal: true };

interface Options {
  readonly lastEventId?: string | undefined;
  readonly subAccountId?: string;
  readonly process?: Notifications;
  readonly clock?: () => Date;
}

/** Follows like a stream; `next` waits for the next event. */
function following(service: TestService, options: Options = {}) {
  const {
    subAccountId = service.subAccountId,
    process = { ...noChanges },
    clock = service.clock,
  } = options;
  const leaving = new AbortController();
  const view = service.openView(subAccountId, clock());
  const { lastEventId } = options;
  const events = followChanges(view, { process, clock, lastEventId, signal: leaving.signal });
  const next = async () => (await events.next()).value as StreamEvent;
  return {
    next,
    /** Skips to the first event with this data. */
    async until(data: object): Promise<StreamEvent> {
      for (;;) {
        const event = await next();
        if (JSON.stringify(JSON.parse(event.data)) === JSON.stringify(data)) {
          return event;
        }
      }
    },
    async leave() {
      leaving.abort();
      await events.return(undefined);
    },
  };
}

const dataOf = ({ data }: StreamEvent) => JSON.parse(data);

describe('the stream of changes', () => {
  test('begins with a position, then has each change of the sub-account, in every process', async ({
    service,
  }) => {
    const { id } = await newThread(service);
    const readers = [following(service), following(service)];
    for (const reader of readers) {
      expect(await reader.next()).toMatchObject({
        event: 'ready',
        data: '{"topic":"ready","id":null}',
      });
    }
    const { body } = await post(service, id, NOTE);
    const messageId = body.data.id;
    await patched(service, id, { status: 'closed' });
    for (const reader of readers) {
      const said = { topic: 'message', id: messageId, conversationId: id };
      expect(await reader.next()).toMatchObject({ event: 'message', data: JSON.stringify(said) });
      expect(dataOf(await reader.next())).toEqual({ topic: 'conversation', id });
      await reader.leave();
    }
  });

  test('resumes after any event, on another process, without a gap', async ({ service }) => {
    const { id } = await newThread(service);
    const reader = following(service);
    const positions = [(await reader.next()).id];
    const written: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      written.push((await post(service, id, NOTE)).body.data.id);
    }
    for (const messageId of written) {
      positions.push(
        (await reader.until({ topic: 'message', id: messageId, conversationId: id })).id,
      );
    }
    await reader.leave();
    expect(new Set(positions).size).toBe(6);
    for (const [index, lastEventId] of positions.entries()) {
      const again = following(service, { lastEventId });
      expect(await again.next()).toMatchObject({ event: 'ready', id: lastEventId });
      const seen: string[] = [];
      for (const messageId of written.slice(index)) {
        const event = await again.until({ topic: 'message', id: messageId, conversationId: id });
        seen.push(dataOf(event).id);
      }
      expect(seen).toEqual(written.slice(index));
      await again.leave();
    }
  });

  test('has a change whose transaction commits after later ones', async ({ service }) => {
    const { id } = await newThread(service);
    const reader = following(service);
    await reader.next();
    const slow = await service.database.pool.connect();
    await slow.query('begin');
    await slow.query(`update conversations set subject = 'slow' where id = $1`, [id]);
    const other = await newThread(service, 'messenger', {});
    const between = await reader.until({ topic: 'conversation', id: other.id });
    await slow.query('commit');
    slow.release();
    expect(dataOf(await reader.next())).toEqual({ topic: 'conversation', id });
    await reader.leave();
    const again = following(service, { lastEventId: between.id });
    await again.next();
    expect(dataOf(await again.next())).toEqual({ topic: 'conversation', id });
    await again.leave();
  });

  test('shows nothing of a change that is rolled back, or of another sub-account', async ({
    service,
  }) => {
    const { id } = await newThread(service);
    const reader = following(service);
    const elsewhere = following(service, { subAccountId: service.otherSubAccountId });
    await Promise.all([reader.next(), elsewhere.next()]);
    const client = await service.database.pool.connect();
    await client.query('begin');
    await client.query(`update conversations set subject = 'gone' where id = $1`, [id]);
    await client.query('rollback');
    client.release();
    const { body } = await post(service, id, NOTE);
    expect(dataOf(await reader.next())).toMatchObject({ topic: 'message', id: body.data.id });
    const task = await service.call('POST /api/v1/tasks', {
      key: 'other',
      body: { title: 'Call' },
    });
    expect(dataOf(await elsewhere.next())).toEqual({ topic: 'task', id: task.body.data.id });
    await Promise.all([reader.leave(), elsewhere.leave()]);
  });

  test.for(['1~2~3', 'nonsense', 'old', 'crashed'])(
    'tells a reader with the position %s to reload',
    async (kind, { service }) => {
      const first = following(service);
      const { id } = await first.next();
      await first.leave();
      const clock = () => new Date(service.clock().getTime() + (kind === 'old' ? 3_600_000 : 0));
      if (kind === 'crashed') {
        // As after a crash of the database: the table is not logged.
        await service.database.rows('delete from changes where sub_account_id = $1', [
          service.subAccountId,
        ]);
      }
      const lastEventId = kind === 'old' || kind === 'crashed' ? id : kind;
      const reader = following(service, { lastEventId, clock });
      const reset = await reader.next();
      expect(reset).toMatchObject({ event: 'reset', data: '{"topic":"reset","id":null}' });
      expect(reset.id).not.toBe(lastEventId);
      const { id: conversation } = await newThread(service);
      await reader.until({ topic: 'conversation', id: conversation });
      await reader.leave();
    },
  );

  test('tells a reader that missed too many changes to reload, and goes on', async ({
    service,
  }) => {
    const { id } = await newThread(service);
    const first = following(service);
    const { id: lastEventId } = await first.next();
    await first.leave();
    await service.database.rows(
      `insert into tasks (sub_account_id, id, title, status, priority, created_at, updated_at)
       select $1, gen_random_uuid(), 'Call', 'todo', 'low', now(), now()
       from generate_series(1, 501)`,
      [service.subAccountId],
    );
    const reader = following(service, { lastEventId });
    expect((await reader.next()).event).toBe('ready');
    expect((await reader.next()).event).toBe('reset');
    const { body } = await post(service, id, NOTE);
    expect(dataOf(await reader.next())).toMatchObject({ id: body.data.id });
    await reader.leave();
  });
});
