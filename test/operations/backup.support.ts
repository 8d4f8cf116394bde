import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { frontdesk, type Ran, type Variables } from '../support/frontdesk.ts';

/** A folder that is removed after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A database that is dropped after the test. */
export async function newDatabase(from: 'migrated' | 'empty' = 'empty'): Promise<string> {
  const database = await createDatabase(from);
  onTestFinished(database.drop);
  return database.url;
}

export async function withDatabase<R>(url: string, use: (client: Client) => Promise<R>) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The rows of each table in a backup, as PostgreSQL writes them. */
export const contentOf = (url: string): Promise<Record<string, readonly string[]>> =>
  withDatabase(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const content: Record<string, readonly string[]> = {};
    for (const { name } of tables) {
      // A server records the use of a key late.
      const row = name === 'api_keys' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
      const { rows } = await client.query(`select ${row} as row from "${name}" t order by 1`);
      // A restore adds one entry.
      content[name] = rows.map((one) => one.row).filter((text) => !text.includes(',restore,cli,'));
    }
    const { rows: jobs } = await client.query(JOBS);
    return { ...content, jobs: jobs.map((job) => JSON.stringify(job)) };
  });

const TABLES = `select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and c.relname not in ('migrations', 'holding', 'changes', 'presences')`;

const JOBS = `select t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.last_error
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  order by j.id`;

/** Runs a line of shell with the real binary in PATH; it fails if a part of a pipe fails. */
export async function shellOf(line: string, variables: Variables = {}) {
  const child = spawn('bash', ['-o', 'pipefail', '-c', line], {
    env: {
      PATH: `${process.cwd()}/bin:${process.env['PATH']}`,
      HOME: process.env['HOME'] ?? '',
      ...variables,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

export async function run(
  args: readonly string[],
  databaseUrl: string,
  more: Variables = {},
): Promise<Ran & { readonly json: any }> {
  const variables = { ...more, DATABASE_URL: databaseUrl };
  const ran = await frontdesk([...args, '--json'], variables);
  return { ...ran, json: ran.stdout ? JSON.parse(ran.stdout) : undefined };
}

/** Changes lines of a backup and recomputes its checksum. */
export async function retell(file: string, change: (text: string) => string): Promise<void> {
  const lines = change(gunzipSync(await readFile(file)).toString('latin1')).split('\n');
  const before = Buffer.from(`${lines.slice(0, -2).join('\n')}\n`, 'latin1');
  const sha256 = createHash('sha256').update(before).digest('hex');
  const trailer = `${JSON.stringify({ ...JSON.parse(lines.at(-2) ?? ''), sha256 })}\n`;
  await writeFile(file, gzipSync(Buffer.concat([before, Buffer.from(trailer)])));
}
