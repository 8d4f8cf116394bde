import type { QueryResult } from 'pg';
import {
  BLOCKER,
  database,
  OLDEST_TRANSACTION,
} from '../../src/operations/doctor/database/database.ts';
import { expect, test, type TestService } from '../support/service.ts';

/** The finding, as if a transaction were too old after this many minutes. */
const examine = ({ database: { rows } }: TestService, minutes: number) =>
  database.examine({
    rows: (text: string, values: readonly unknown[]) =>
      rows(text, text === OLDEST_TRANSACTION ? [minutes] : text === BLOCKER ? [0] : values),
    requireSessions: async () => undefined,
    replicaTrouble: async () => undefined,
  } as never);

test('a transaction that stays open is named, with the way to end it', async ({ service }) => {
  const forgotten = await service.database.pool.connect();
  try {
    const { rows }: QueryResult<{ pid: number }> = await forgotten.query(
      'select pg_backend_pid() as pid',
    );
    const pid = rows[0]?.pid;
    await forgotten.query(`set application_name = 'psql'`);
    await forgotten.query('begin isolation level repeatable read');
    await forgotten.query('select from contacts');
    expect(await examine(service, 0)).toEqual({
      status: 'warn',
      message: expect.stringContaining(`psql, process ${pid}, has been open for 0 minutes`),
      fix: expect.stringContaining(`select pg_terminate_backend(${pid})`),
    });
    expect(await examine(service, 60)).toMatchObject({ status: 'ok' });
  } finally {
    forgotten.release(true);
  }
});

test('a program whose lock others wait for is named, with the way to end it', async ({
  service,
}) => {
  const { pool } = service.database;
  const blocker = await pool.connect();
  const waiting = await pool.connect();
  try {
    const { rows }: QueryResult<{ pid: number }> = await blocker.query(
      'select pg_backend_pid() as pid',
    );
    const pid = rows[0]?.pid;
    await blocker.query(`set application_name = 'psql'`);
    await blocker.query('begin');
    await blocker.query('lock table contacts in access exclusive mode');
    const reading = waiting.query('select from contacts');
    await expect
      .poll(() => examine(service, 60), { timeout: 60_000, interval: 50 })
      .toEqual({
        status: 'warn',
        message: expect.stringContaining(`1 statement waits for a lock of psql, process ${pid},`),
        fix: expect.stringContaining(`select pg_terminate_backend(${pid})`),
      });
    await blocker.query('rollback');
    await reading;
    expect(await examine(service, 60)).toMatchObject({ status: 'ok' });
  } finally {
    blocker.release(true);
    waiting.release(true);
  }
});
