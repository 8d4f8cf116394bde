import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/embedded-postgres/start-embedded-postgres.ts';
import { webhookEventNames } from '#registry/events.ts';
import { FRONTDESK, frontdesk } from './frontdesk.ts';
import { lastError } from './last-error.ts';
import { startServerProcess } from './server-process.ts';
import { foundHousehold, subscribeToAll } from './soak/household.ts';
import { judge, type Outcome, type Verdict } from './soak/judge.ts';
import { startLoad } from './soak/load.ts';
import { takeSample, type Sample } from './soak/sample.ts';
import { startSink } from './soak/sink.ts';
import { startWorkerProcess, until } from './worker-process.ts';

const USAGE = `node bench/soak.ts [--minutes 30] [--rate 50] [--every 30] [--json]

Loads a real server and a real worker on a PostgreSQL of their own as a busy practice would, looks at
them every so many seconds, and says whether they could go on like that for ever; exit code 1 where not.
`;

/** The rest of a response is not needed. */
const REFUSAL_MAX = 200;
const DRAIN_MS = 120_000;
/** High enough that requests are counted and never refused. */
const RATE = '900000000/1h';
const PUBLIC = ['chat_session', 'chat_message', 'form', 'booking', 'workflow'];

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
  const resources = new AsyncDisposableStack();
  try {
    const soaking = soak({ minutes, rate, everyMs: every * 1_000 }, resources);
    const outcome = await Promise.race([soaking, interruption()]);
    const verdicts = judge(outcome);
    const { samples } = outcome;
    process.stdout.write(
      values.json ? `${JSON.stringify({ verdicts, samples })}\n` : verdicts.map(lineOf).join(''),
    );
    return verdicts.every(({ isKept }) => isKept) ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    await resources.disposeAsync();
  }
}

async function soak(
  { minutes, rate, everyMs }: SoakInput,
  resources: AsyncDisposableStack,
): Promise<Outcome> {
  const scratch = mkdtempSync(join(tmpdir(), 'frontdesk-soak-'));
  resources.defer(() => rm(scratch, { recursive: true, force: true }));
  const database = await startEmbeddedPostgres({ dataDir: join(scratch, 'data') });
  resources.defer(() => database.stop());
  const sql = new Client({ connectionString: database.url });
  await sql.connect();
  resources.defer(() => sql.end());
  const env = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    FRONTDESK_RATE_READ: RATE,
    FRONTDESK_RATE_WRITE: RATE,
    FRONTDESK_RATE_PUBLIC: PUBLIC.map((name) => `${name}=${RATE}`).join(','),
    FRONTDESK_LOG: 'json',
    FRONTDESK_LOG_LEVEL: 'warn',
  };
  await frontdesk(env, 'migrate');
  const household = await foundHousehold(env, scratch);
  const sink = await startSink(resources);
  await subscribeToAll(sql, env, household, sink.url, webhookEventNames);
  const logFile = join(scratch, 'serve.log');
  const command = (port: number) => [FRONTDESK, 'serve', '--port', String(port)];
  const { url, pid: servePid } = await startServerProcess({ command, env, logFile, resources });
  const workerPid = await startWorkerProcess({ env, sql, scratch, resources });

  say(`${rate} requests a second for ${minutes} minutes`);
  const startedAt = performance.now();
  const load = startLoad(url, household, rate);
  resources.defer(load.stop);
  const samples: Sample[] = [];
  while (performance.now() - startedAt < minutes * 60_000) {
    await sleep(everyMs);
    const sample = await takeSample({ sql, url, servePid, workerPid, startedAt });
    samples.push(sample);
    say(sampleLine(sample, load.statuses));
  }
  await load.stop();
  load.refusals.forEach((text, what) => say(`${what}: ${text.slice(0, REFUSAL_MAX)}`));
  say('waiting for what is under way');
  const subscribers = { subAccountId: household.subAccountId, names: webhookEventNames };
  const left = await drained(sql, sink.arrivals, subscribers);
  say(`the last error of the server: ${(await lastError(logFile)) || 'none'}`);
  return { samples, statuses: load.statuses, arrivals: sink.arrivals, ...left };
}

interface Subscribers {
  readonly subAccountId: string;
  readonly names: readonly string[];
}

/** Waits until the queue is empty or the time is over; returns the jobs left. */
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
  await until(DRAIN_MS, 'everything is done', isDone).catch((error: unknown) => say(String(error)));
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

const lineOf = ({ what, figure, isKept }: Verdict): string =>
  `${isKept ? 'pass' : 'MISS'}  ${what}: ${figure}\n`;

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error(`ended by ${signal}`)));
    }
  });
}

process.exit(await main());
