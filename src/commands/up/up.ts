import { requireServable, startServer } from '../server/http-server.ts';
import { consoleLink, type ConsoleLink } from './console-link.ts';
import { upText, type Demo } from './up-text.ts';
import { loadDemo } from './load-demo.ts';
import { resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { defineCommand, type Outcome } from '#core/command.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import type { Actor } from '#core/work.ts';
import { sleep } from '#lib/abort.ts';
import { isDatabaseAway } from '#platform/database/database-errors.ts';
import { DEFAULT_FOLDER, environmentOfUp } from '#platform/config/environment-file.ts';
import type { Environment } from '#platform/config/environment.ts';
import { localCertificateIn, openDataFolder, writeEnvironmentFile } from './data-folder.ts';
import { refuseLostDatabase, requireKeyOfFolder, secretKeyIn } from './data-folder-key.ts';
import { startDatabase, startDatabaseOnly, type UpStaying } from './database-only.ts';
import { migrateInstallation } from '../migrate.ts';
import { osUser } from '../open-admin.ts';
import { portOption } from '../serve.ts';
import { openCheckedService, type Service } from '../server/open-service.ts';
import { startJobsUnlessPaused } from '../server/pause-jobs.ts';
import { JOBS_AT_ONCE } from '../server/start-jobs.ts';
import { endWhenOutdated, keepWatch, stay, type Staying } from '../server/stay.ts';

export const up = defineCommand()({
  path: 'up',
  summary: 'Run PostgreSQL, migrations, server and worker in one process',
  options: {
    port: portOption,
    data: {
      flag: '--data <dir>',
      help: 'folder of the database and the secret key (default: data in the checkout)',
    },
    https: {
      flag: '--https',
      help: 'serve HTTPS with a certificate for this machine, created in the data folder',
    },
    demo: {
      flag: '--demo',
      help: 'create a demo sub-account from config/demo.yaml and print a new key for it',
    },
    databaseOnly: {
      flag: '--database-only',
      help: 'start only the database of the data folder: to back it up while nothing changes, or to export sub-accounts if the secret key is lost',
    },
  },
  examples: [
    'frontdesk up',
    'frontdesk up --demo',
    'frontdesk up --https',
    'frontdesk up --port 8090 --data /srv/frontdesk',
    'frontdesk up --database-only --data /srv/frontdesk',
  ],
  context: 'none',
  async run(_, { port, data, https = false, demo = false, databaseOnly = false }) {
    if (databaseOnly && (port !== undefined || https || demo)) {
      throw new UsageFault('--database-only excludes --port, --https and --demo');
    }
    return runUp({ port, folder: data, https, demo, databaseOnly });
  },
});

const CONNECTIONS = 20;
/** A server that ends says so this much later than its connections break. */
const ENDED_WITHIN_MS = 2_000;

/** Runs everything in one process, on an embedded database unless DATABASE_URL is set. */
function runUp(given: UpOptions): Promise<Outcome> {
  const folder = given.folder === undefined ? DEFAULT_FOLDER : resolve(given.folder);
  const start = async (staying: Staying) => {
    const end = Promise.withResolvers<string>();
    try {
      const withEnd = { ...staying, databaseEnded: end.resolve };
      return await (given.databaseOnly
        ? startDatabaseOnly(folder, withEnd)
        : startUp(given, folder, withEnd));
    } catch (error) {
      // A database that ended is the reason, not the connections that it broke.
      const full = isDatabaseAway(error)
        ? await Promise.race([end.promise, sleep(ENDED_WITHIN_MS, undefined)])
        : undefined;
      throw full === undefined ? error : new Fault('SERVICE_UNAVAILABLE', full);
    }
  };
  return stay([], start, environmentOfUp(process.env, folder));
}

async function startUp(given: UpOptions, folder: string, staying: UpStaying): Promise<Outcome> {
  const { environment, lifecycle } = staying;
  await requireServable(environment);
  const lock = await openDataFolder(folder);
  lifecycle.onStop('data folder', () => lock.release());
  const address = { host: environment.host, port: given.port ?? environment.port };
  const isLocalCertificate = given.https && environment.tlsCert === undefined;
  const local = isLocalCertificate ? await localCertificateIn(folder, address.host) : undefined;
  const secretKey = environment.secretKey ?? (await secretKeyIn(folder));
  const ready = {
    ...environment,
    ...(local && { tlsCert: local.cert, tlsKey: local.key }),
    ...(environment.databaseUrl === undefined && NO_POOLER_OR_REPLICA),
    secretKey,
    databaseUrl: environment.databaseUrl ?? (await databaseOfKey(folder, secretKey, staying)),
  };
  const service = await openMigrated(ready, staying);
  const { url, baseUrl } = await startServer(service, ready, address, lifecycle);
  const jobs = { concurrency: JOBS_AT_ONCE, startPaused: false };
  const withBase = { ...ready, baseUrl };
  const { lanes } = await startJobsUnlessPaused(service, withBase, jobs, lifecycle);
  endWhenOutdated(service, lifecycle);
  keepWatch(service, { kind: 'up', status: () => `serving at ${url}`, lanes }, lifecycle);
  const environmentFile = await writeEnvironmentFile(
    folder,
    generatedVariables(environment, ready, baseUrl),
  );
  const shownUrl = LOCAL_HOSTS.has(address.host) ? baseUrl : url;
  await lock.annotate(shownUrl);
  const demo = given.demo ? await loadDemo(service, actorOf('up --demo')) : undefined;
  const console = await consoleOf(service, environment, baseUrl, demo);
  const shared = { environmentFile, console, demo };
  const place = environment.databaseUrl === undefined ? folder : 'the database of DATABASE_URL';
  return {
    json: {
      url,
      data: folder,
      environmentFile,
      ...(console && { console }),
      ...(demo && { demo }),
    },
    text: upText({
      ...shared,
      url: shownUrl,
      place,
      authority: local?.cert,
      options: repeated(given),
    }),
  };
}

async function openMigrated(ready: Ready, { log, lifecycle }: UpStaying): Promise<Service> {
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
  return service;
}

/** Starts the database of a data folder. Throws a Fault if this is not its secret key. */
async function databaseOfKey(
  folder: string,
  secretKey: Buffer,
  staying: UpStaying,
): Promise<string> {
  const { environment, log } = staying;
  await refuseLostDatabase(folder);
  const url = await startDatabase(folder, staying);
  const isGiven = environment.secretKey !== undefined;
  await requireKeyOfFolder(folder, url, { secretKey, isGiven, log });
  return url;
}

/** Returns a fresh sign-in link, if the console is served. */
const consoleOf = async (
  service: Service,
  environment: Environment,
  baseUrl: string,
  demo: Demo | undefined,
): Promise<ConsoleLink | undefined> =>
  environment.console === 'on'
    ? consoleLink({ service, actor: actorOf('up'), baseUrl, subAccountId: demo?.subAccountId })
    : undefined;

/** Returns the options that another `up` of this installation needs. */
const repeated = ({ port, https, folder }: UpOptions): string =>
  [
    ...(port === undefined ? [] : [` --port ${port}`]),
    ...(folder === undefined ? [] : [` --data ${shellWord(folder)}`]),
    ...(https ? [' --https'] : []),
  ].join('');

const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A server on one of these addresses is shown as localhost, as in its links. */
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::']);

/** Settings that do not apply to the embedded database. */
const NO_POOLER_OR_REPLICA = { databaseSessionUrl: undefined, databaseReplicaUrl: undefined };

interface UpOptions {
  readonly port: number | undefined;
  readonly folder: string | undefined;
  readonly https: boolean;
  readonly demo: boolean;
  readonly databaseOnly: boolean;
}

/** The variables that the environment did not set. */
const generatedVariables = (
  given: Environment,
  { databaseUrl, secretKey, tlsCert, tlsKey, filesDir }: Ready,
  baseUrl: string,
) => ({
  ...(given.databaseUrl === undefined && { DATABASE_URL: databaseUrl }),
  ...(given.secretKey === undefined && { FRONTDESK_SECRET_KEY: secretKey.toString('base64') }),
  FRONTDESK_FILES_DIR: filesDir,
  // For the links that commands print.
  ...(given.baseUrl === undefined && { FRONTDESK_PORT: portOf(baseUrl) }),
  ...(given.tlsCert === undefined &&
    tlsCert !== undefined &&
    tlsKey !== undefined && { FRONTDESK_TLS_CERT: tlsCert, FRONTDESK_TLS_KEY: tlsKey }),
});

/** A URL omits the default port of its scheme. */
const portOf = (url: string): string => {
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
};

type Ready = Environment & { readonly databaseUrl: string; readonly secretKey: Buffer };

const actorOf = (operation: string): Actor => ({
  kind: 'cli',
  name: osUser(),
  requestId: randomUUID(),
  operation,
});
