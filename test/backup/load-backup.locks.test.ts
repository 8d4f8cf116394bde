import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { AGENCY } from '#lib/id.ts';
import { writeOfAudit } from '#platform/database/work/deferred-writes.ts';
import { loadBackup } from '../../src/backup/load-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { newDatabase, newFolder } from '../operations/backup.support.ts';
import { testFileStore } from '../support/files.ts';
import { WAITING_FOR_ME } from '../support/locks.ts';
import { OPERATOR } from '../support/service.ts';

const JOBS = 'graphile_worker._private_jobs';

/** A transaction of a running server. */
async function openTransaction(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  return client;
}

async function startRestore(url: string): Promise<{ readonly rows: object }> {
  const file = join(await newFolder(), 'one.backup');
  await writeBackup({ url, file, product: '1.0.0', files: testFileStore() });
  const audit = writeOfAudit({ subAccountId: AGENCY, now: new Date(), actor: OPERATOR }, 'x');
  return loadBackup({ url, file, force: true, reason: 'test', audit });
}

test.each([
  [
    'reads the jobs before the outbox',
    `select count(*) from ${JOBS}`,
    'select count(*) from outbox',
  ],
  [
    'locks its rows before it queues a job',
    'lock table contacts in row exclusive mode',
    `lock table ${JOBS} in row exclusive mode`,
  ],
])('a restore and a server that %s both succeed', async (_what, first, second) => {
  const url = await newDatabase('migrated');
  const server = await openTransaction(url);
  await server.query(first);
  const restored = startRestore(url);
  const waiting = async () => (await server.query(WAITING_FOR_ME)).rowCount;
  await expect.poll(waiting).toBe(1);
  await server.query(second);
  await server.query('commit');
  expect((await restored).rows).toMatchObject({ contacts: 0 });
});
