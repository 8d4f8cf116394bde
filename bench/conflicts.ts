import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { webhookEventNames } from '#registry/events.ts';
import { injectEverySecond } from './conflicts/inject.ts';
import { judgeConflicts, type ConflictOutcome } from './conflicts/judge.ts';
import { watchLanes } from './conflicts/watch-lanes.ts';
import { lastError } from './logged-errors.ts';
import { frontdesk, until } from './processes.ts';
import { signIn } from './soak/console-session.ts';
import { subscribeToAll } from './soak/household.ts';
import { startLoad } from './soak/load.ts';
import {
  linesOf,
  openInstallation,
  runLoadTest,
  serverLog,
  startProcesses,
  type TestInstallation,
} from './soak/load-test.ts';
import { startReceivers } from './soak/receivers.ts';

const USAGE = `node bench/conflicts.ts [--minutes 10] [--rate 20] [--subscriptions 60]

Loads a server and a worker on their own PostgreSQL, while one statement of each kind of the queue
loses a deadlock every second. Exit code 1 if a lane stalls for 5 s, an event is lost or
delivered twice, a request fails, or a process ends.
`;

const DRAIN_MS = 300_000;
const REPORT_EVERY_MS = 15_000;

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
  return runLoadTest(say, async (resources) => {
    const verdicts = judgeConflicts(await run({ minutes, rate, subscriptions }, resources));
    process.stdout.write(linesOf(verdicts));
    return verdicts;
  });
}

async function run(
  { minutes, rate, subscriptions }: ConflictsInput,
  resources: AsyncDisposableStack,
): Promise<ConflictOutcome> {
  const installation = await openInstallation('conflicts', resources);
  const { env, scratch, household } = installation;
  const [sql, watching] = [await installation.connect(), await installation.connect()];
  await addWorkflows(installation);
  const receivers = await startReceivers(subscriptions, resources);
  for (const url of receivers.urls) {
    await subscribeToAll(sql, env, household, url, webhookEventNames);
  }
  const { url, servePid, workerPid } = await startProcesses(installation, sql);
  const conflicts = await injectEverySecond(sql);
  const stalls = watchLanes(watching);

  say(`${rate} requests a second for ${minutes} minutes, ${subscriptions} subscriptions`);
  const load = startLoad(url, await signIn(url, household), rate);
  resources.defer(load.stop);
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    await sleep(Math.min(REPORT_EVERY_MS, Math.max(0, end - performance.now())));
    say(`injected ${JSON.stringify(await conflicts.counts())}, ${await waitingIn(sql)}`);
  }
  await load.stop();
  const injected = await conflicts.counts();
  say('waiting until the queue is empty, still with deadlocks');
  const { subAccountId } = household;
  const isDone = async () => (await jobsLeft(sql)) === 0;
  await until(DRAIN_MS, 'the queue is empty', isDone).catch((error: unknown) => say(String(error)));
  await conflicts.stop();
  await stalls.stop();
  load.refusals.forEach((text, what) => say(`${what}: ${text.slice(0, 200)}`));
  say(`last error of the server: ${(await lastError(serverLog(installation))) || 'none'}`);
  say(`last error of the worker: ${(await lastError(join(scratch, 'worker.log'))) || 'none'}`);
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
    isAlive: [servePid, workerPid].every(isAlive),
  };
}

/** Three workflows triggered by events of the load; one of them waits, so that runs are woken. */
async function addWorkflows({ env, scratch, household }: TestInstallation): Promise<void> {
  const manifest = join(scratch, 'workflows.yaml');
  await writeFile(manifest, WORKFLOWS);
  await frontdesk(env, 'admin', 'apply', '-f', manifest, '--sub-account', household.subAccountId);
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
  + (select count(*) from workflow_runs
    where wake_at <= now() + interval '5 s' or backlogged_at is not null)::int as left`;

const EVENTS = 'select id from events where sub_account_id = $1 and name = any($2)';

const FIGURES = `select (select count(*) from workflow_runs where finished_at is not null)::int as runs,
  (select deadlocks from pg_stat_database where datname = current_database())::int as deadlocks`;

process.exit(await main());
