import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openChanges, type Changes } from '#platform/notify/changes.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const PATIENCE = { timeout: 60_000, interval: 5 };

let own: TestDatabase;
let database: Database;
const opened: Changes[] = [];
const log = pino({ level: 'silent' });

beforeAll(async () => {
  own = await createDatabase('empty');
  database = openDatabase({ url: own.url, connections: 2, name: 'topics test', log });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((changes) => changes.close()));
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

const notify = (topic: string) =>
  database.rows('select pg_notify($1, $2)', ['frontdesk_changes', topic]);

/** A process's worth; `url` is where it listens. */
function opening(url = own.url): Changes {
  const changes = openChanges(url, database, log);
  opened.push(changes);
  return changes;
}

async function listening(): Promise<Changes> {
  const changes = opening();
  await vi.waitFor(() => expect(changes.isListening).toBe(true), PATIENCE);
  return changes;
}

describe('a topic listener', () => {
  test('is woken in every process, and by no other topic', async () => {
    const woken: string[] = [];
    for (const [name, changes] of Object.entries({ a: await listening(), b: await listening() })) {
      changes.watch('chat:1', () => woken.push(`${name}1`));
      changes.watch('chat:2', () => woken.push(`${name}2`));
    }
    await notify('chat:3');
    await notify('chat:2');
    await vi.waitFor(() => expect(woken.toSorted()).toEqual(['a2', 'b2']), PATIENCE);
  });

  test('is no longer woken once it stops; the others are', async () => {
    const changes = await listening();
    const woken: string[] = [];
    const stop = changes.watch('chat:1', () => woken.push('first'));
    changes.watch('chat:1', () => woken.push('second'));
    stop();
    stop();
    await notify('chat:1');
    await vi.waitFor(() => expect(woken).toEqual(['second']), PATIENCE);
  });

  test('may stop while it is woken', async () => {
    const changes = await listening();
    let woken = 0;
    const stop = changes.watch('chat:1', () => {
      woken += 1;
      stop();
    });
    let after = 0;
    changes.watch('chat:1', () => (after += 1));
    await notify('chat:1');
    await notify('chat:1');
    await vi.waitFor(() => expect([woken, after]).toEqual([1, 2]), PATIENCE);
  });

  test('is woken repeatedly while notices do not arrive', async () => {
    const elsewhere = await createDatabase('empty');
    const deaf = opening(elsewhere.url);
    let woken = 0;
    deaf.watch('chat:1', () => (woken += 1));
    await vi.waitFor(() => expect(woken).toBeGreaterThanOrEqual(3), PATIENCE);
    expect(deaf.isListening).toBe(false);
    await deaf.close();
    await elsewhere.drop();
  });
});
