import { resolve, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { defineCommand, type Outcome } from '#core/command.ts';
import { SCOPES } from '#core/scope.ts';
import type { Actor } from '#core/work.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { environmentOfUp } from '#platform/config/environment-file.ts';
import type { Environment } from '#platform/config/environment.ts';
import type { Logger } from '#platform/config/logger.ts';
import { DEFAULT_FOLDER, postgresFolderOf } from '#platform/config/up-folder.ts';
import { PACKAGE_ROOT } from '#platform/files/package-root.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { createKey } from '../../accounts/keys/create-key.ts';
import { createSubAccount } from '../../accounts/sub-accounts/create-sub-account.ts';
import { findSubAccounts } from '../../accounts/sub-accounts/find-sub-accounts.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../embedded-postgres/start-embedded-postgres.ts';
import { applyFile } from '../apply-file.ts';
import { migrateInstallation } from '../migrate.ts';
import { osUser } from '../open-admin.ts';
import { portOption } from '../serve.ts';
import { startServer } from '../server/http-server.ts';
import { openCheckedService, type Service } from '../server/open-service.ts';
import { startJobsUnlessHeld } from '../server/pause-jobs.ts';
import { JOBS_AT_ONCE } from '../server/start-jobs.ts';
import { endWhenOutdated, keepWatch, stay, type Staying } from '../server/stay.ts';
import { openDataFolder, secretKeyIn, writeEnvironmentFile } from './data-folder.ts';

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

interface UpResult {
  readonly url: string;
  /** Where the data is. */
  readonly place: string;
  readonly environmentFile: string;
  readonly demo: Demo | undefined;
}

/** What `up` prints once it runs: blocks that can be pasted into another terminal as they are. */
export const upText = ({ url, place, environmentFile, demo }: UpResult): string => `
  Frontdesk is running at ${url}
  Data: ${place}

  In another terminal, in this folder${demo ? '' : ' (ID and KEY: what the commands print)'}:

export FRONTDESK_ENV_FILE=${environmentFile}
${demo ? demoCommands(url, demo) : firstCommands(url)}
${demo ? demoPages(url, demo) : DEMO_HINT}
  API reference: ${url}/docs
  Press Ctrl-C to stop.
`;

const firstCommands = (
  url: string,
): string => `bin/frontdesk admin sub-account create --name "My business"
bin/frontdesk admin key create --name first --scopes all --sub-account ID
curl -H "Authorization: Bearer KEY" ${url}/api/v1/contacts
`;

const DEMO_HINT = `  To try it with a dentist's sample data: npm start -- --demo
`;

const demoCommands = (url: string, { key }: Demo): string => `export FRONTDESK_API_KEY=${key}
curl -H "Authorization: Bearer $FRONTDESK_API_KEY" \\
  ${url}/api/v1/contacts
`;

const demoPages = (
  url: string,
  { subAccountId, formId }: Demo,
): string => `  The key is shown only here. The demo's sub-account:
  ${subAccountId}
  Chat, booking page and form, in a browser:
${url}/chat/demo?subAccountId=${subAccountId}
${url}/book/${subAccountId}/check-up
${url}/f/${formId}
`;

const MANIFEST = join(PACKAGE_ROOT, 'config/demo.yaml');
const NAME = 'Harbour Dental';

export interface Demo {
  readonly subAccountId: string;
  readonly key: string;
  readonly formId: string | undefined;
}

/** Sets up what config/demo.yaml describes, in a sandbox that the next `--demo` finds again. */
export async function loadDemo(service: Service): Promise<Demo> {
  const { transact, openView, clock, log } = service;
  const actor: Actor = {
    kind: 'cli',
    name: osUser(),
    requestId: randomUUID(),
    operation: 'up --demo',
  };
  const known = (await findSubAccounts(openView(AGENCY, clock()))).find(
    ({ name, sandbox }) => name === NAME && sandbox,
  );
  const subAccountId = known?.id ?? newId(clock());
  if (!known) {
    await transact(subAccountId, actor, (work) =>
      createSubAccount(work, { name: NAME, sandbox: true }),
    );
  }
  const wanted = { file: MANIFEST, subAccountId, prune: false, dryRun: false };
  const { ids } = await applyFile({ transact, actor, log }, wanted);
  const { key } = await transact(subAccountId, actor, (work) =>
    createKey(work, { name: 'demo', scopes: SCOPES }),
  );
  return { subAccountId, key, formId: ids['forms']?.['contact'] };
}
