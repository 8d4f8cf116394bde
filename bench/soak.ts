import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { webhookEventNames } from '#registry/events.ts';
import { lastError } from './logged-errors.ts';
import { until } from './processes.ts';
import { subscribeToAll } from './soak/household.ts';
import { judge, type Outcome } from './soak/judge.ts';
import { startLoad } from './soak/load.ts';
import {
  linesOf,
  openInstallation,
  runLoadTest,
  serverLog,
  startProcesses,
} from './soak/load-test.ts';
import { signIn } from './soak/console-session.ts';
import { startReceivers } from './soak/receivers.ts';
import { takeSample, type Sample } from './soak/sample.ts';
import { startStreams } from './soak/streams.ts';

const USAGE = `node bench/soak.ts [--minutes 30] [--rate 50] [--every 30] [--json]

Loads a server and a worker on their own PostgreSQL like a busy practice, and takes a sample every
30 seconds. Exit code 1 if they could not run like this forever: memory grows, an event is lost, a
request fails or the queue does not drain.
`;

/** The shown part of a refusal. */
const REFUSAL_MAX = 200;
const DRAIN_MS = 120_000;

const say = (line: string) => void process.stderr.write(`soak: ${line}\n`);

interface SoakInput {
  readonly minutes: number;
  readonly rate: number;
  readonly everyMs: number;
}

async function main(): Promise<0 | 1 | 2> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      rate: { type: 'string', default: '50' },
      every: { type: 'string', default: '30' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [minutes, rate, every] = [values.minutes, values.rate, values.every].map(Number);
  if (values.help || !(minutes && rate && every)) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  return runLoadTest(say, async (resources) => {
    const outcome = await soak({ minutes, rate, everyMs: every * 1_000 }, resources);
    const verdicts = judge(outcome);
    const { samples } = outcome;
    process.stdout.write(
      values.json ? `${JSON.stringify({ verdicts, samples })}\n` : linesOf(verdicts),
    );
    return verdicts;
  });
}

async function soak(
  { minutes, rate, everyMs }: SoakInput,
  resources: AsyncDisposableStack,
): Promise<Outcome> {
  const installation = await openInstallation('soak', resources);
  const { env, household } = installation;
  const sql = await installation.connect();
  const {
    urls: [receiverUrl = ''],
    arrivals: [arrivals = new Map<string, number>()],
  } = await startReceivers(1, resources);
  await subscribeToAll(sql, env, household, receiverUrl, webhookEventNames);
  const { url, servePid, workerPid } = await startProcesses(installation, sql);

  const signedIn = await signIn(url, household);

  say(`${rate} requests a second for ${minutes} minutes`);
  const startedAt = performance.now();
  const streams = startStreams(url, signedIn);
  resources.defer(streams.stop);
  const load = startLoad(url, signedIn, rate);
  resources.defer(load.stop);
  const samples: Sample[] = [];
  while (performance.now() - startedAt < minutes * 60_000) {
    await sleep(everyMs);
    const sample = await takeSample({ sql, url, servePid, workerPid, startedAt });
    samples.push(sample);
    say(sampleLine(sample, load.statuses));
  }
  await Promise.all([load.stop(), streams.stop()]);
  load.refusals.forEach((text, what) => say(`${what}: ${text.slice(0, REFUSAL_MAX)}`));
  say('waiting until the queue is empty');
  const subscribers = { subAccountId: household.subAccountId, names: webhookEventNames };
  const left = await drained(sql, arrivals, subscribers);
  say(`last error of the server: ${(await lastError(serverLog(installation))) || 'none'}`);
  return { samples, statuses: load.statuses, streams, arrivals, ...left };
}

interface Subscribers {
  readonly subAccountId: string;
  readonly names: readonly string[];
}

/** Waits until the queue is empty or the time is over. Returns the events and the jobs left. */
async function drained(
  sql: Client,
  arrivals: ReadonlyMap<string, number>,
  { subAccountId, names }: Subscribers,
): Promise<Pick<Outcome, 'events' | 'jobsLeft'>> {
  const eventsOf = async () => {
    const { rows } = await sql.query<{ id: string }>(EVENTS, [subAccountId, names]);
    return new Set(rows.map(({ id }) => id));
  };
  const jobsLeft = async () => {
    const { rows } = await sql.query<{ left: number }>(LEFT);
    return rows[0]?.left ?? 0;
  };
  const isDone = async () => {
    const events = await eventsOf();
    return (await jobsLeft()) === 0 && [...events].every((id) => arrivals.has(id));
  };
  await until(DRAIN_MS, 'the queue is empty and every event has arrived', isDone).catch(
    (error: unknown) => say(String(error)),
  );
  return { events: await eventsOf(), jobsLeft: await jobsLeft() };
}

const EVENTS = 'select id from events where sub_account_id = $1 and name = any($2)';

const LEFT = `select (select count(*) from graphile_worker._private_jobs where run_at <= now())::int
  + (select count(*) from outbox)::int as left`;

const sampleLine = (sample: Sample, statuses: ReadonlyMap<string, number>): string => {
  const { minutes, serve, worker, heapMb, lagMs, connections, databaseMb, queueDepth, outbox } =
    sample;
  return [
    `${minutes.toFixed(1)} min`,
    `serve ${serve.residentMb.toFixed(0)} MB (heap ${heapMb.toFixed(0)}) ${serve.descriptors} fds`,
    `worker ${worker.residentMb.toFixed(0)} MB ${worker.descriptors} fds`,
    `lag ${lagMs.toFixed(0)} ms`,
    `${connections} connections`,
    `database ${databaseMb.toFixed(0)} MB`,
    `queue ${queueDepth}, outbox ${outbox}`,
    [...statuses].map(([status, times]) => `${status}: ${times}`).join(' '),
  ].join(', ');
};

process.exit(await main());
