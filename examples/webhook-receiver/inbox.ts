// Stores events in a SQLite file before the response, and handles them afterwards. Run one process
// per file.
import { DatabaseSync } from 'node:sqlite';
import type { WebhookEvent } from '@frontdesk/client';
import { handle } from './handle.ts';

const RETRY_MS = 60_000;
/** Events can be replayed for 30 days: until then, their ids are kept. */
const KEPT_MS = 30 * 86_400_000;

const database = new DatabaseSync(process.env.INBOX ?? 'inbox.db', { timeout: 5_000 });
database.exec(`create table if not exists events (
  id text primary key, body text not null, received_at integer not null,
  due_at integer not null, handled_at integer)`);

const insert = database.prepare(
  'insert or ignore into events (id, body, received_at, due_at) values (?, ?, ?, ?)',
);
const next = database.prepare(
  'select id, body from events where handled_at is null and due_at <= ? order by rowid limit 1',
);
const finish = database.prepare('update events set handled_at = ? where id = ?');
const postpone = database.prepare('update events set due_at = ? where id = ?');
const forget = database.prepare('delete from events where handled_at < ? and received_at < ?');

/**
 * Stores an event once: a repeated delivery has the same id. The event is on the disk when this
 * returns, so the delivery can be acknowledged.
 */
export function store(event: WebhookEvent): void {
  const now = Date.now();
  insert.run(event.id, JSON.stringify(event), now, now);
  // After the response, which must not wait for the work.
  setImmediate(() => void work());
}

let isWorking = false;

/** Handles the stored events that are due, in the order of their arrival. */
async function work(): Promise<void> {
  if (isWorking) {
    return;
  }
  isWorking = true;
  for (let row = next.get(Date.now()); row; row = next.get(Date.now())) {
    const { id = null, body } = row;
    try {
      await handle(JSON.parse(String(body)) as WebhookEvent);
      finish.run(Date.now(), id);
    } catch (error) {
      console.error(`event ${String(id)} failed; it is handled again in a minute:`, error);
      postpone.run(Date.now() + RETRY_MS, id);
    }
  }
  isWorking = false;
}

// Events that an earlier process stored but did not handle. The timer repeats those that failed.
setImmediate(() => void work());
setInterval(() => {
  const then = Date.now() - KEPT_MS;
  forget.run(then, then);
  void work();
  // The timer alone must not keep a server alive that shuts down.
}, RETRY_MS).unref();
