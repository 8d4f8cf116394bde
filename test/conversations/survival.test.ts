import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startInstallation, type Following, type Installation } from '../support/command-line.ts';
import { mailServer, setUpChannels, smtp } from './sending.support.ts';

const MESSAGES = 1_000;
const WRITERS = 8;
const INTERVAL_MS = 60;
const KILLS = 5;
const BETWEEN_KILLS_MS = 1_500;
const DRAINED_WITHIN_MS = 240_000;

/** A kill of the worker, and the messages that were pending at that time. */
interface Kill {
  readonly at: number;
  readonly pending: ReadonlySet<string>;
}

test('1,000 messages to a failing mail server, with five kills of the worker: none is lost, none is sent twice', async () => {
  const accepted = new Map<string, number[]>();
  const out = await mailServer(failing(accepted));
  const installation = await startInstallation({
    FRONTDESK_RATE_WRITE: '1000000/1m',
    FRONTDESK_RATE_STORE: 'memory',
    FRONTDESK_SEND_RETRIES: '200ms,300ms,500ms,1s,1s,1s',
  });
  onTestFinished(installation.close);
  await setUpChannels(installation, smtp(out.port));
  const client = new Client({ connectionString: installation.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());

  let worker: Following = await installation.startWorker();
  const written = new Set<string>();
  const kills: Kill[] = [];
  const kill = async () => {
    for (let n = 0; n < KILLS; n += 1) {
      await sleep(BETWEEN_KILLS_MS);
      await worker.end('SIGKILL');
      const { rows } = await client.query(`select id from messages where status = 'pending'`);
      kills.push({ at: performance.now(), pending: new Set(rows.map(({ id }) => id)) });
      worker = await installation.startWorker();
    }
  };
  await Promise.all([write(installation, written), kill()]);
  expect(written.size).toBe(MESSAGES);

  await vi.waitFor(async () => {
    const { rows } = await client.query(
      `select (select count(*)::int from messages where status = 'pending') as messages,
         (select count(*)::int from outbox) as events`,
    );
    expect(rows).toEqual([{ messages: 0, events: 0 }]);
  }, DRAINED_WITHIN_MS);

  const { rows } = await client.query('select id, status from messages');
  const idsBy = (status: string): Set<string> =>
    new Set(rows.filter((row) => row.status === status).map(({ id }) => id));
  const [sent, failed] = [idsBy('sent'), idsBy('failed')];
  expect(sent.union(failed)).toEqual(written);
  expect(new Set(accepted.keys())).toEqual(sent);

  // A message in flight at a kill may be sent again under the same Message-ID; an acknowledged one never is.
  const twice = [...accepted].filter(([, times]) => times.length > 1);
  const unexcused = twice.filter(([id, times]) => !isExcused(id, times, kills));
  expect(unexcused).toEqual([]);

  const fired = await client.query(
    `select data ->> 'messageId' as id, name from events where name like 'message.%'`,
  );
  const eventIds = (name: string): Set<string> =>
    new Set(fired.rows.filter((row) => row.name === name).map(({ id }) => id));
  expect(eventIds('message.sent')).toEqual(sent);
  expect(eventIds('message.failed')).toEqual(failed);
  expect(fired.rows).toHaveLength(MESSAGES);
}, 600_000);

/** Each repeat needs a kill while the message was pending. What was sent before it may arrive after it. */
const isExcused = (id: string, times: readonly number[], kills: readonly Kill[]): boolean =>
  times.length - 1 <=
  kills.filter(({ at, pending }) => pending.has(id) && at < (times.at(-1) ?? 0)).length;

/** Writes the messages over some seconds and collects the ids of the responses. */
async function write({ call }: Installation, written: Set<string>): Promise<void> {
  const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const { id: contactId } = (await call('POST /api/v1/contacts', { body: ada })).body.data;
  const opening = { contactId, channel: 'email' };
  const { id } = (await call('POST /api/v1/conversations', { body: opening })).body.data;
  let begun = 0;
  const writer = async () => {
    while (begun < MESSAGES) {
      begun += 1;
      const body = { channel: 'email', subject: 'Your visit', bodyText: `Message ${begun}` };
      const answer = await call(`POST /api/v1/conversations/${id}/messages`, { body });
      expect(answer.status).toBe(201);
      written.add(answer.body.data.id);
      await sleep(INTERVAL_MS);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Accepts most mails, defers some, always refuses a few, and sometimes disconnects. */
function failing(accepted: Map<string, number[]>): SMTPServerOptions {
  return {
    onData(stream, _, done) {
      let raw = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        raw += chunk;
      });
      stream.on('end', () => {
        const id = /^message-id: <([^@]+)@/im.exec(raw)?.[1] ?? 'none';
        const luck = Math.random();
        if (id.endsWith('7f') || id.endsWith('80')) {
          done(Object.assign(new Error('5.7.1 never'), { responseCode: 554 }));
        } else if (luck < 0.03) {
          done(Object.assign(new Error('4.3.2 going down'), { responseCode: 421 }));
        } else if (luck < 0.2) {
          done(Object.assign(new Error('4.3.0 later'), { responseCode: 451 }));
        } else {
          accepted.set(id, [...(accepted.get(id) ?? []), performance.now()]);
          done();
        }
      });
    },
  };
}
