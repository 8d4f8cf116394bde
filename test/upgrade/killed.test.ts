import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { defineMigration } from '#platform/database/migrate/migration.ts';
import { migrations } from '#registry/migrations.ts';
import { newDatabase, run, withDatabase } from '../operations/backup.support.ts';
import { startInstallation, startFollowing } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { newKey, startFrontdesk } from '../support/frontdesk.ts';
import { schemaOf } from '../support/schema-of.ts';
import { IN_THIS_DATABASE } from '../support/locks.ts';

const onCluster = inject('nodeUrls').length > 0;
/** Each one is repaired by a migration that takes many seconds on a cluster. */
const KILLS = onCluster ? 5 : 20;
const AT_ONCE = 4;
/** About the duration of a migration, including its start. */
const TAKES_MS = onCluster ? 10_000 : 1_500;
const WAIT = { timeout: 60_000, interval: 50 };

const names = migrations.map(({ name }) => name);
const key = newKey();

/** The name of the database that a test migrates. */
const variables = (url: string) => ({ DATABASE_URL: url, FRONTDESK_SECRET_KEY: key });

const LATER = defineMigration('99991231000000_later', [
  `alter table contacts add column later text not null default 'later'`,
  `update contacts set later = first_name`,
]);

describe('a migration that is killed', () => {
  let whole: readonly string[];
  beforeAll(async () => {
    const fresh = await createDatabase('migrated');
    whole = await withDatabase(fresh.url, schemaOf);
    await fresh.drop();
  });

  const killOnce = async (url: string, afterMs: number) => {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, ['bin/frontdesk.ts', 'migrate'], {
      env: { PATH, HOME, ...variables(url) },
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    await sleep(afterMs);
    child.kill('SIGKILL');
    await exited;
  };

  /** The state of the schema after the kill; PostgreSQL may notice it a moment later. */
  const checked = async (url: string) => {
    const { code, json } = await run(['migrate', '--check'], url, variables(url));
    const isThere = await withDatabase(url, async (client) => {
      const { rows } = await client.query(`select to_regclass('contacts') is not null as there`);
      return rows[0].there;
    });
    return {
      code,
      pending: json.pending,
      undistributed: json.cluster?.undistributed ?? [],
      isThere,
    };
  };

  test(`${KILLS} times, at any moment, leaves the old or the new schema`, async () => {
    const moments = Array.from({ length: KILLS }, (_, index) => (index / KILLS) * TAKES_MS);
    const seen: number[] = [];
    const attempt = async (afterMs: number) => {
      const url = await newDatabase();
      await killOnce(url, afterMs);
      await vi.waitFor(async () => {
        const { rows } = await withDatabase(url, (client) =>
          client.query(`select from pg_locks where locktype = 'advisory'
            and ${IN_THIS_DATABASE}`),
        );
        expect(rows.length).toBe(0);
      }, WAIT);
      const { code, pending, undistributed, isThere } = await checked(url);
      expect(pending).toEqual(isThere ? [] : names);
      // On a cluster, the tables of the new schema are distributed one by one.
      expect(code).toBe(pending.length + undistributed.length > 0 ? 1 : 0);
      expect(onCluster || undistributed.length === 0).toBe(true);
      seen.push(pending.length);
      const { code: again } = await run(['migrate'], url, variables(url));
      expect(again).toBe(0);
      expect(await withDatabase(url, schemaOf)).toEqual(whole);
      expect(await checked(url)).toMatchObject({ code: 0, pending: [] });
    };
    const queue = [...moments];
    const lane = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        await attempt(next);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    expect(seen.length).toBe(KILLS);
  });
});

describe('a database of a later release', () => {
  test('is refused by every command, including migrate --check and --dry-run', async () => {
    const url = await newDatabase('migrated');
    await run(['migrate'], url, variables(url));
    await applyMigrations(url, [...migrations, LATER]);
    const lines = [
      ['migrate'],
      ['migrate', '--check'],
      ['migrate', '--dry-run'],
      ['serve', '--port', '0'],
      ['worker'],
      ['admin', 'key', 'list'],
    ];
    for (const line of lines) {
      const { code, stdout, stderr } = await run(line, url, variables(url));
      expect({ line, code, stdout }).toEqual({ line, code: 1, stdout: '' });
      expect(stderr).toContain(`is ahead of this release by ${LATER.name}`);
    }
  });
});

describe('processes of the previous release during a migration', () => {
  let installation: Awaited<ReturnType<typeof startInstallation>>;
  beforeAll(async () => {
    installation = await startInstallation();
  });
  afterAll(() => installation.close());

  test('answer correctly or 503, and end by themselves', async () => {
    const { databaseUrl: url, variables: settings, createContact, key: apiKey } = installation;
    const id = await createContact('Ada');
    const server = startFollowing(['serve', '--port', '0', '--json'], settings);
    const worker = startFollowing(['worker', '--json'], settings);
    const [{ url: address }] = await server.next(1);
    await worker.next(1);
    const answers = new Set<string>();
    const over = new AbortController();
    const asking = (async () => {
      while (!over.signal.aborted) {
        const answer = await fetch(`${address}/api/v1/contacts/${id}`, {
          headers: { authorization: `Bearer ${apiKey}` },
        }).catch(() => undefined);
        const body = (await answer?.json().catch(() => undefined)) as any;
        answers.add(answer ? `${answer.status} ${body?.data?.firstName ?? ''}` : 'gone');
      }
    })();
    await vi.waitFor(() => expect(answers).toContain('200 Ada'), WAIT);
    await applyMigrations(url, [...migrations, LATER]);
    expect(await server.exited).toBe(1);
    expect(await worker.exited).toBe(1);
    over.abort();
    await asking;
    expect([...answers].filter((one) => !['200 Ada', '503 ', 'gone'].includes(one))).toEqual([]);
    for (const { stderr } of [server, worker]) {
      expect(stderr()).toContain('is ahead of this release');
    }
  });

  test('a migration waits for a locked table without blocking other requests for long', async () => {
    const url = await newDatabase('migrated');
    await run(['migrate'], url, variables(url));
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables(url));
    await withDatabase(url, async (client) => {
      await client.query('begin; lock table contacts in access share mode');
      const migrating = applyMigrations(url, [...migrations, LATER]);
      await vi.waitFor(async () => {
        const { rows } = await client.query(
          `select from pg_locks where not granted and relation = 'contacts'::regclass
            and ${IN_THIS_DATABASE}`,
        );
        expect(rows.length).toBe(1);
      }, WAIT);
      await vi.waitFor(async () => {
        const { rows } = await client.query(
          `select from pg_locks where not granted and relation = 'contacts'::regclass
            and ${IN_THIS_DATABASE}`,
        );
        expect(rows.length).toBe(0);
      }, WAIT);
      expect((await fetch(`${said.url}/readyz`)).status).toBe(200);
      await client.query('commit');
      expect(await migrating).toEqual([LATER.name]);
    });
  });
});
