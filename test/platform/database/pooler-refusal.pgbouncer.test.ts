import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../support/database.ts';
import { frontdesk, newKey, startFrontdesk } from '../../support/frontdesk.ts';
import { startPgBouncer } from '../../support/pgbouncer.ts';

describe('without the address of PostgreSQL itself', () => {
  const settings = {
    'as it comes': {},
    'that passes over our settings': {
      ignore_startup_parameters:
        'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,extra_float_digits',
    },
  };

  test.each(Object.entries(settings))(
    'a pooler %s is refused, and why is said',
    async (_, given) => {
      const database = await createDatabase();
      onTestFinished(() => database.drop());
      const bouncer = await startPgBouncer(database.url, given);
      onTestFinished(() => bouncer.stop());
      const variables = { DATABASE_URL: bouncer.url, FRONTDESK_SECRET_KEY: newKey() };
      const backup = ['backup', join(tmpdir(), `frontdesk-${crypto.randomUUID()}.backup`)];
      for (const command of [['migrate'], ['serve'], ['worker'], backup]) {
        const { code, stderr } = await frontdesk(command, variables);
        expect([command[0], code, stderr]).toEqual([
          command[0],
          1,
          expect.stringContaining('set DATABASE_SESSION_URL to the address of PostgreSQL itself'),
        ]);
      }
      const { code, stdout } = await frontdesk(['doctor'], variables);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^✗ database: DATABASE_URL leads through a pooler/m);
    },
    60_000,
  );

  test('a pooler in session mode is accepted', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const bouncer = await startPgBouncer(database.url, {
      pool_mode: 'session',
      ignore_startup_parameters:
        'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    });
    onTestFinished(() => bouncer.stop());
    const variables = { DATABASE_URL: bouncer.url, FRONTDESK_SECRET_KEY: newKey() };
    expect((await frontdesk(['migrate'], variables)).code).toBe(0);
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
    expect((await fetch(`${said.url}/readyz`)).status).toBe(200);
  });

  test('a session address of a pooler or of another database is rejected', async () => {
    const databases = await Promise.all([createDatabase(), createDatabase()]);
    onTestFinished(async () => void (await Promise.all(databases.map((one) => one.drop()))));
    const [own, other] = databases.map(({ url }) => url) as [string, string];
    const bouncers = await Promise.all([startPgBouncer(own), startPgBouncer(own)]);
    onTestFinished(async () => void (await Promise.all(bouncers.map((one) => one.stop()))));
    const serve = (sessionUrl: string) =>
      frontdesk(['serve'], {
        DATABASE_URL: bouncers[0].url,
        DATABASE_SESSION_URL: sessionUrl,
        FRONTDESK_SECRET_KEY: newKey(),
      });
    expect((await serve(other)).stderr).toContain('lead to two databases');
    expect((await serve(bouncers[1].url)).stderr).toContain(
      'DATABASE_SESSION_URL leads through a pooler',
    );
  });
});
