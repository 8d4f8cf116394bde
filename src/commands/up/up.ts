import { resolve } from 'node:path';
import { defineCommand, type Outcome } from '#core/command.ts';
import { environmentOfUp } from '#platform/config/environment-file.ts';
import type { Environment } from '#platform/config/environment.ts';
import type { Logger } from '#platform/config/logger.ts';
import { DEFAULT_FOLDER, postgresFolderOf } from '#platform/config/up-folder.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../embedded-postgres/start-embedded-postgres.ts';
import { openDataFolder, secretKeyIn, writeEnvironmentFile } from './data-folder.ts';
import { loadDemo, type Demo } from './load-demo.ts';
import { migrateInstallation } from '../migrate.ts';
import { portOption } from '../serve.ts';
import { endWhenOutdated } from '../server/end-when-outdated.ts';
import { keepWatch } from '../server/keep-watch.ts';
import { openCheckedService } from '../server/open-checked-service.ts';
import type { Service } from '../server/open-service.ts';
import { startJobsUnlessHeld } from '../server/pause-jobs.ts';
import { JOBS_AT_ONCE } from '../server/start-jobs.ts';
import { startServer } from '../server/start-server.ts';
import { stay, type Staying } from '../server/stay.ts';
import { upText } from './up-text.ts';

export const up = defineCommand()({
  path: 'up',
  summary: 'Run PostgreSQL, migrations, server and worker in one process',
  options: {
    port: portOption,
    data: {
      flag: '--data <dir>',
      help: 'folder of the database and the secret key (default: data in the checkout)',
    },
    demo: {
      flag: '--demo',
      help: 'create a demo sub-account from config/demo.yaml and print a new key for it',
    },
  },
  examples: [
    'frontdesk up',
    'frontdesk up --demo',
    'frontdesk up --port 8090 --data /srv/frontdesk',
  ],
  context: 'none',
  async run(_, { port, data, demo }) {
    return runUp({ port, folder: data, demo: demo ?? false });
  },
});

const CONNECTIONS = 20;

/** Everything in one process, on a database of its own unless DATABASE_URL names one. */
function runUp(given: UpOptions): Promise<Outcome> {
  const folder = given.folder === undefined ? DEFAULT_FOLDER : resolve(given.folder);
  const start = (staying: Staying) => startUp(given, folder, staying);
  return stay([], start, environmentOfUp(process.env, folder));
}

async function startUp(
  given: UpOptions,
  folder: string,
  { environment, log, lifecycle }: Staying,
): Promise<Outcome> {
  const lock = await openDataFolder(folder);
  lifecycle.onStop('data folder', () => lock.release());
  const address = { host: environment.host, port: given.port ?? environment.port };
  const ready = {
    ...environment,
    ...(environment.databaseUrl === undefined && NO_OTHER_WAYS),
    secretKey: environment.secretKey ?? (await secretKeyIn(folder)),
    databaseUrl: environment.databaseUrl ?? (await startDatabase(folder, log, lifecycle)),
  };
  const { databaseSessionUrl = ready.databaseUrl, secretKey } = ready;
  const applied = await migrateInstallation(databaseSessionUrl, secretKey, log);
  log.debug({ applied }, 'migrated');

  const service = await openCheckedService({
    environment: ready,
    log,
    name: 'frontdesk up',
    connections: CONNECTIONS,
    stays: true,
  });
  lifecycle.onStop('database connections', () => service.close());
  const { url, baseUrl } = await startServer(service, ready, address, lifecycle);
  const jobs = { concurrency: JOBS_AT_ONCE, startPaused: false };
  const withBase = { ...ready, baseUrl };
  const { lanes } = await startJobsUnlessHeld(service, withBase, jobs, lifecycle);
  endWhenOutdated(service, lifecycle);
  keepWatch(service, { kind: 'up', status: () => `serving at ${url}`, lanes }, lifecycle);
  const environmentFile = await writeEnvironmentFile(folder, madeFor(environment, ready, baseUrl));
  const shownUrl = LOCAL_HOSTS.has(address.host) ? baseUrl : url;
  await lock.annotate(shownUrl);
  const demo = given.demo ? await demoOf(service) : undefined;
  const place = environment.databaseUrl === undefined ? folder : 'the database of DATABASE_URL';
  return {
    json: { url, data: folder, environmentFile, ...(demo && { demo }) },
    text: upText({ url: shownUrl, place, environmentFile, demo }),
  };
}

/** Listening on these, a server is reached as localhost, as in the links that it makes. */
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::']);

/** To a database that it brings itself. */
const NO_OTHER_WAYS = { databaseSessionUrl: undefined, databaseReplicaUrl: undefined };

interface UpOptions {
  readonly port: number | undefined;
  readonly folder: string | undefined;
  readonly demo: boolean;
}

const demoOf = async (service: Service): Promise<Demo> => loadDemo(service);

async function startDatabase(folder: string, log: Logger, lifecycle: Lifecycle): Promise<string> {
  log.info({ folder }, 'starting PostgreSQL');
  const database = await startEmbeddedPostgres({
    dataDir: postgresFolderOf(folder),
    log: (line) => log.debug({ from: 'postgres' }, line),
  });
  lifecycle.onStop('database', () => database.stop());
  void endWith(database, log, lifecycle);
  return database.url;
}

/** Without its database the process has nothing to do. */
async function endWith({ exited }: EmbeddedPostgres, log: Logger, lifecycle: Lifecycle) {
  const lastLines = await exited;
  log.fatal({ lastLines }, 'the embedded database ended by itself');
  lifecycle.end(1, 'the database is gone');
}

/** What the environment did not give. */
const madeFor = (given: Environment, { databaseUrl, secretKey }: Ready, baseUrl: string) => ({
  ...(given.databaseUrl === undefined && { DATABASE_URL: databaseUrl }),
  ...(given.secretKey === undefined && { FRONTDESK_SECRET_KEY: secretKey.toString('base64') }),
  // For the links that commands print.
  ...(given.baseUrl === undefined && { FRONTDESK_PORT: new URL(baseUrl).port }),
});

type Ready = Environment & { readonly databaseUrl: string; readonly secretKey: Buffer };
