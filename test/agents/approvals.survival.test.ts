import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#platform/database/database.ts';
import { pino } from 'pino';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bindKey } from '../support/bind-key.ts';
import { createDatabase } from '../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { WAITING_FOR_ME } from '../support/locks.ts';

const json = async (line: string, variables: Variables): Promise<any> => {
  const { code, stdout, stderr } = await frontdesk([...line.split(' '), '--json'], variables);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

/** An agent that waits for the approval to delete a contact. */
async function asked() {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const variables = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: newKey(),
    FRONTDESK_POLL_INTERVAL: '250ms',
  };
  await bindKey(variables);
  const { id: subAccountId } = await json('admin sub-account create --name Harbour', variables);
  const { key } = await json(
    `admin key create --sub-account ${subAccountId} --name Agent --scopes contacts:read,contacts:write`,
    variables,
  );
  const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
  const post = async (path: string, body: object): Promise<any> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(said.url + path, options)).json();
  };
  const contact = await post('/api/v1/contacts', { firstName: 'Ada', lastName: 'Byron' });
  const contactId = contact.data.id;
  const remove = async () => {
    const given = { action: 'contacts.delete', arguments: { contactId } };
    const params = { name: 'run_action', arguments: given };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    return (await post('/mcp', call)).result.structuredContent;
  };
  const { approvalId } = await remove();
  return { database, variables, contactId, approvalId, remove };
}

/** Locks a record in a transaction that stays open until the returned function is called. */
async function lockContact(url: string, contactId: string) {
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url, connections: 2, name: 'test lock', log });
  const client = await database.pool.connect();
  await client.query('begin');
  // A row is locked by its whole key, with which a cluster finds its node.
  const { rows } = await client.query('select sub_account_id from contacts where id = $1', [
    contactId,
  ]);
  await client.query('select from contacts where sub_account_id = $1 and id = $2 for update', [
    rows[0].sub_account_id,
    contactId,
  ]);
  const waiting = async (): Promise<number> => {
    const { rows } = await client.query(WAITING_FOR_ME);
    return rows.length;
  };
  return {
    waiting,
    rows: database.rows,
    async release() {
      await client.query('rollback');
      client.release();
    },
    close: () => database.close(),
  };
}

/** A process that runs the approved call, started by its arguments. */
const RUNNERS = [
  ['the terminal that approves', (id: string) => ['admin', 'approval', 'approve', id]],
  ['the worker', () => ['worker']],
] as const;

describe('an approved call', () => {
  test.for(RUNNERS)('survives the end of %s in its middle, and runs once', async ([, argsOf]) => {
    const { database, variables, contactId, approvalId, remove } = await asked();
    const lock = await lockContact(database.url, contactId);
    onTestFinished(lock.close);
    const args = argsOf(approvalId);
    if (args[0] === 'worker') {
      // The decision alone, as the console makes it.
      await lock.rows(
        `update agent_approvals set decision = 'approved', decided_by = 'test', decided_at = now()
         where id = $1`,
        [approvalId],
      );
      const [approval] = await lock.rows<{ subAccountId: string }>(
        'select sub_account_id as "subAccountId" from agent_approvals where id = $1',
        [approvalId],
      );
      await lock.rows(`select graphile_worker.add_job('agents/run-approval', $1::json)`, [
        JSON.stringify({ ...approval, approvalId }),
      ]);
    }
    const { PATH = '', HOME = '' } = process.env;
    const runner = spawn('bin/frontdesk', args, { env: { PATH, HOME, ...variables } });
    const exited = once(runner, 'exit');
    await expect.poll(lock.waiting, { timeout: 60_000 }).toBeGreaterThan(0);
    runner.kill('SIGKILL');
    await exited;
    await lock.release();
    expect(
      await lock.rows('select from contacts where id = $1 and deleted_at is null', [contactId]),
    ).toHaveLength(1);

    await startFrontdesk(['worker'], variables);
    const deletions = () =>
      lock.rows(
        `select from audit_entries where record_id = $1 and operation = 'contacts.delete'`,
        [contactId],
      );
    await expect.poll(deletions, { timeout: 60_000 }).toHaveLength(1);
    expect(await remove()).toMatchObject({ status: 'approved', data: { deleted: true } });
    const jobs = () =>
      lock.rows(
        `select from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'agents/run-approval'`,
        [],
      );
    await expect.poll(jobs, { timeout: 60_000 }).toHaveLength(0);
    expect(await deletions()).toHaveLength(1);
  });
});
