import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/embedded-postgres/start-embedded-postgres.ts';
import { webhookEventNames } from '#registry/events.ts';
import { injectEverySecond } from './conflicts/inject.ts';
import { judgeConflicts, type ConflictOutcome } from './conflicts/judge.ts';
import { startReceivers } from './conflicts/receivers.ts';
import { watchLanes } from './conflicts/watch-lanes.ts';
import { FRONTDESK, frontdesk, type Environment } from './frontdesk.ts';
import { lastError } from './last-error.ts';
import { startServerProcess } from './server-process.ts';
import { foundHousehold, subscribeToAll, type Household } from './soak/household.ts';
import { startLoad } from './soak/load.ts';
import { startWorkerProcess, until } from './worker-process.ts';

const USAGE = `node bench/conflicts.ts [--minutes 10] [--rate 20] [--subscriptions 60]

Loads a real server and a real worker on a PostgreSQL of their own while one of each of the queue's
statements loses a deadlock every second. Exit code 1 if a lane stalls for 5 s, an event is lost or
delivered twice, a request fails, or a process ends.
`;

const DRAIN_MS = 300_000;
const REPORT_EVERY_MS = 15_000;
const RATE = '900000000/1h';
const PUBLIC = ['chat_session', 'chat_message', 'form', 'booking', 'workflow'];

const say = (line: string) => void process.stderr.write(`conflicts: ${line}\n`);

interface ConflictsInput {
  readonly minutes: number;
  readonly rate: number;
  readonly subscriptions: number;
}

async function main(): Promise<0 | 1 | 2> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      rate: { type: 'string', default: '20' },
      subscriptions: { type: 'string', default: '60' },
      help: { type: 'boolean' },
    },
  });
  const [minutes, rate, subscriptions] = [values.minutes, values.rate, values.subscriptions].map(
    Number,
  );
  if (values.help || !(minutes && rate && subscriptions)) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const resources = new AsyncDisposableStack();
  try {
    const running = run({ minutes, rate, subscriptions }, resources);
    const verdicts = judgeConflicts(await Promise.race([running, interruption()]));
    for (const { what, figure, isKept } of verdicts) {
      process.stdout.write(`${isKept ? 'pass' : 'MISS'}  ${what}: ${figure}\n`);
    }
    return verdicts.every(({ isKept }) => isKept) ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    await resources.disposeAsync();
  }
}

async function run(
  { minutes, rate, subscriptions }: ConflictsInput,
  resources: AsyncDisposableStack,
): Promise<ConflictOutcome> {
  const scratch = mkdtempSync(join(tmpdir(), 'frontdesk-conflicts-'));
  resources.defer(() => rm(scratch, { recursive: true, force: true }));
  const database = await startEmbeddedPostgres({ dataDir: join(scratch, 'data') });
  resources.defer(() => database.stop());
  const connect = async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    resources.defer(() => client.end());
    return client;
  };
  const [sql, watching] = [await connect(), await connect()];
  const env = environmentFor(database.url);
  await frontdesk(env, 'migrate');
  const household = await foundHousehold(env, scratch);
  await addWorkflows(env, scratch, household);
  const receivers = await startReceivers(subscriptions, resources);
  for (const url of receivers.urls) {
    await subscribeToAll(sql, env, household, url, webhookEventNames);
  }
  const logFile = join(scratch, 'serve.log');
  const command = (port: number) => [FRONTDESK, 'serve', '--port', String(port)];
  const { url, pid } = await startServerProcess({ command, env, logFile, resources });
  const workerPid = await startWorkerProcess({ env, sql, scratch, resources });
  const conflicts = await injectEverySecond(sql);
  const stalls = watchLanes(watching);

  say(`${rate} requests a second for ${minutes} minutes, ${subscriptions} subscriptions`);
  const load = startLoad(url, household, rate);
  resources.defer(load.stop);
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    await sleep(Math.min(REPORT_EVERY_MS, Math.max(0, end - performance.now())));
    say(`injected ${JSON.stringify(await conflicts.counts())}, ${await waitingIn(sql)}`);
  }
  await load.stop();
  const injected = await conflicts.counts();
  say('waiting for what is under way, still with deadlocks');
  const { subAccountId } = household;
  const isDone = async () => (await jobsLeft(sql)) === 0;
  await until(DRAIN_MS, 'everything is done', isDone).catch((error: unknown) => say(String(error)));
  await conflicts.stop();
  await stalls.stop();
  load.refusals.forEach((text, what) => say(`${what}: ${text.slice(0, 200)}`));
  say(`the last error of the server: ${(await lastError(logFile)) || 'none'}`);
  say(`and of the worker: ${(await lastError(join(scratch, 'worker.log'))) || 'none'}`);
  const { rows } = await sql.query<{ id: string }>(EVENTS, [subAccountId, webhookEventNames]);
  const [figures] = (await sql.query<{ runs: number; deadlocks: number }>(FIGURES)).rows;
  return {
    injected,
    longestMs: stalls.longestMs(),
    events: new Set(rows.map(({ id }) => id)),
    arrivals: receivers.arrivals,
    statuses: load.statuses,
    runs: figures?.runs ?? 0,
    deadlocks: figures?.deadlocks ?? 0,
    jobsLeft: await jobsLeft(sql),
    isAlive: [pid, workerPid].every(isAlive),
  };
}

const environmentFor = (url: string): Environment => ({
  DATABASE_URL: url,
  FRONTDESK_SECRET_KEY: randomBytes(32).toString('base64'),
  FRONTDESK_RATE_READ: RATE,
  FRONTDESK_RATE_WRITE: RATE,
  FRONTDESK_RATE_PUBLIC: PUBLIC.map((name) => `${name}=${RATE}`).join(','),
  FRONTDESK_LOG: 'json',
  FRONTDESK_LOG_LEVEL: 'warn',
});

/** Three workflows triggered by events of the load; one of them waits, so that runs are woken. */
async function addWorkflows(env: Environment, scratch: string, { subAccountId }: Household) {
  const manifest = join(scratch, 'workflows.yaml');
  await writeFile(manifest, WORKFLOWS);
  await frontdesk(env, 'admin', 'apply', '-f', manifest, '--sub-account', subAccountId);
}

const WORKFLOWS = `workflows:
  - slug: conflict-tag
    name: Tag
    triggers: [{ on: contact.created }]
    steps: [{ addTag: seen }, { end: true }]
  - slug: conflict-wait
    name: Wait
    triggers: [{ on: contact.created }]
    steps: [{ wait: { for: 2s } }, { setField: { field: company, value: Waited } }]
  - slug: conflict-task
    name: Task
    triggers: [{ on: opportunity.created }]
    reenter: true
    steps: [{ createTask: { title: 'Call {{fullName}}', dueIn: 1d } }]
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const jobsLeft = async (sql: Client): Promise<number> =>
  (await sql.query<{ left: number }>(LEFT)).rows[0]?.left ?? 0;

const waitingIn = async (sql: Client) => `${await jobsLeft(sql)} jobs and events wait`;

const LEFT = `select (select count(*) from graphile_worker._private_jobs
    where run_at <= now() + interval '5 s')::int
  + (select count(*) from outbox)::int
  + (select count(*) from workflow_runs where wake_at <= now() + interval '5 s')::int as left`;

const EVENTS = 'select id from events where sub_account_id = $1 and name = any($2)';

const FIGURES = `select (select count(*) from workflow_runs where finished_at is not null)::int as runs,
  (select deadlocks from pg_stat_database where datname = current_database())::int as deadlocks`;

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error(`ended by ${signal}`)));
    }
  });
}

process.exit(await main());
