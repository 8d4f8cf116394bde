import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#platform/database/database.ts';
import { bindKey } from '../support/bind-key.ts';
import { createDatabase } from '../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { WAITING_FOR_ME } from '../support/locks.ts';

const ROUNDS = 20;
const TEST_MAX_MS = 900_000;
const PATIENCE = { timeout: 120_000 };

/** Where in a call its server is killed; the last one is anywhere. */
const MOMENTS = ['before the write', 'after the write', 'after the commit', 'at random'] as const;
type Moment = (typeof MOMENTS)[number];

const json = async (line: string, variables: Variables): Promise<any> => {
  const { code, stdout, stderr } = await frontdesk([...line.split(' '), '--json'], variables);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

/** A database with the key of an agent, and connections of the test. */
async function prepared() {
  const created = await createDatabase();
  const variables = { DATABASE_URL: created.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
  const { id } = await json('admin sub-account create --name Harbour', variables);
  const { key } = await json(
    `admin key create --sub-account ${id} --name Agent --scopes tasks:read,tasks:write`,
    variables,
  );
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url: created.url, connections: 4, name: 'test', log });
  onTestFinished(async () => {
    await database.close();
    await created.drop();
  });
  return { variables, key, database };
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

/** Calls `save_task` as a client does that sends a call again when its answer is lost. */
async function saveTask(url: string, key: string, title: string): Promise<any> {
  const params = { name: 'save_task', arguments: { title } };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return ((await response.json()) as any).result.structuredContent;
}

/** The table that a call cannot write to, so that it stops there. */
const HELD: Readonly<Partial<Record<Moment, string>>> = {
  'before the write': 'tasks',
  'after the write': 'agent_calls',
};

/** Returns when the moment of a call is there, and what ends it. */
async function waitFor(moment: Moment, title: string, { database }: Prepared) {
  const table = HELD[moment];
  const client = await database.pool.connect();
  if (table) {
    await client.query('begin');
    await client.query(`lock table ${table} in share mode`);
  }
  const blocked = async () => {
    const { rows } = await client.query(WAITING_FOR_ME);
    return rows.length;
  };
  const saved = async () =>
    (await database.rows('select from tasks where title = $1', [title])).length;
  return {
    async isThere() {
      if (moment === 'at random') {
        await sleep(Math.random() * 60);
        return;
      }
      await expect.poll(table ? blocked : saved, { ...PATIENCE, interval: 1 }).toBeGreaterThan(0);
    },
    async end() {
      await client.query('rollback');
      client.release();
    },
  };
}

/** What the database has of a call: the task, its event, its audit entry and the stored response. */
const EFFECTS = `select
    (select count(*)::int from tasks where title = $1) as tasks,
    (select count(*)::int from audit_entries a join tasks t
       on t.sub_account_id = a.sub_account_id and t.id::text = a.record_id
     where t.title = $1) as changes,
    (select count(*)::int from (select name, data from outbox union all select name, data from events)
       as fired where name = 'task.created' and data ->> 'title' = $1) as events,
    (select count(*)::int from agent_calls where response like '%' || $1 || '%') as responses`;

describe('a server that is killed in the middle of a write tool call', () => {
  test(
    `leaves one effect once the client has repeated the call, in ${ROUNDS} rounds`,
    { timeout: TEST_MAX_MS },
    async () => {
      const given = await prepared();
      const { variables, key, database } = given;
      const start = () => startFrontdesk(['serve', '--port', '0'], variables);
      let server = await start();
      const outcomes: unknown[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const moment = MOMENTS[round % MOMENTS.length]!;
        const title = `Call back ${round}.`;
        const next = start();
        const stage = await waitFor(moment, title, given);
        const lost = saveTask(server.said.url, key, title).catch(() => 'no answer');
        await stage.isThere();
        await server.end('SIGKILL');
        await stage.end();
        await lost;
        server = await next;
        const answer = await saveTask(server.said.url, key, title);
        expect(answer, `${moment}, round ${round}`).toMatchObject({ data: { title } });
        const again = await saveTask(server.said.url, key, title);
        expect(again).toEqual({ ...answer, repeated: true });
        const [effects] = await database.rows(EFFECTS, [title]);
        expect(effects, `${moment}, round ${round}`).toEqual({
          tasks: 1,
          changes: 1,
          events: 1,
          responses: 1,
        });
        outcomes.push([moment, answer.repeated === true]);
      }
      // What was committed is not run again; what was not committed is.
      expect(outcomes).toEqual(
        expect.arrayContaining([
          ['before the write', false],
          ['after the commit', true],
        ]),
      );
      expect(outcomes).not.toContainEqual(['after the commit', false]);
    },
  );
});
