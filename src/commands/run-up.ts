import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '#kit/command.ts';
import type { Environment } from '#platform/environment.ts';
import type { EmbeddedPostgres } from '#platform/embedded-postgres/start-embedded-postgres.ts';
import type { Lifecycle } from '#platform/lifecycle.ts';
import type { Logger } from '#platform/logger.ts';
import { secretKeyIn, writeEnvironmentFile } from './data-folder.ts';
import { startJobsUnlessHeld } from './hold-jobs.ts';
import { endWhenOutdated } from './end-when-outdated.ts';
import { keepWatch } from './keep-watch.ts';
import type { Demo } from './load-demo.ts';
import { openCheckedService } from './open-checked-service.ts';
import type { Service } from './open-service.ts';
import { migrateInstallation } from './run-migrate.ts';
import { JOBS_AT_ONCE } from './start-jobs.ts';
import { startServer } from './start-server.ts';
import { stay } from './stay.ts';

const DEFAULT_FOLDER = fileURLToPath(new URL('../../data', import.meta.url));
const CONNECTIONS = 20;

/** Everything in one process, on a database of its own unless DATABASE_URL names one. */
export const runUp = (wanted: Wanted): Promise<Outcome> =>
  stay([], async ({ environment, log, lifecycle }) => {
    const folder = wanted.folder === undefined ? DEFAULT_FOLDER : resolve(wanted.folder);
    const address = { host: environment.host, port: wanted.port ?? environment.port };
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
    const jobs = { concurrency: JOBS_AT_ONCE, hold: false };
    await startJobsUnlessHeld(service, { ...ready, baseUrl }, jobs, lifecycle);
    endWhenOutdated(service, lifecycle);
    keepWatch(service, { kind: 'up', status: () => `serving at ${url}` }, lifecycle);
    const environmentFile = await writeEnvironmentFile(
      folder,
      madeFor(environment, ready, baseUrl),
    );
    const demo = wanted.demo ? await demoOf(service) : undefined;
    const place = environment.databaseUrl === undefined ? folder : 'the database of DATABASE_URL';
    return {
      json: { url, data: folder, environmentFile, ...(demo && { demo }) },
      text: greeting({ url, place, environmentFile, demo }),
    };
  });

/** To a database that it brings itself. */
const NO_OTHER_WAYS = { databaseSessionUrl: undefined, databaseReplicaUrl: undefined };

interface Wanted {
  readonly port: number | undefined;
  readonly folder: string | undefined;
  readonly demo: boolean;
}

const demoOf = async (service: Service): Promise<Demo> =>
  (await import('./load-demo.ts')).loadDemo(service);

async function startDatabase(folder: string, log: Logger, lifecycle: Lifecycle): Promise<string> {
  const { startEmbeddedPostgres } =
    await import('#platform/embedded-postgres/start-embedded-postgres.ts');
  log.info({ folder }, 'starting PostgreSQL');
  const database = await startEmbeddedPostgres({
    dataDir: resolve(folder, 'postgres'),
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

interface Greeting {
  readonly url: string;
  readonly place: string;
  readonly environmentFile: string;
  readonly demo: Demo | undefined;
}

const greeting = ({ url, place, environmentFile, demo }: Greeting): string => `
  Frontdesk is up at ${url}
  Its data lies in ${place}
${demo ? demoLines(url, demo) : firstLines(url)}
  The command line reaches it, in another terminal, after
    export FRONTDESK_ENV_FILE=${environmentFile}

  The API can be read and tried at ${url}/docs. Ctrl-C stops all of it.
`;

const demoLines = (url: string, { subAccountId, key, formId }: Demo): string => `
  The demo's sub-account is ${subAccountId}
  A key for it, shown once:
    ${key}

  Next, in another terminal:
    curl -H "Authorization: Bearer ${key}" ${url}/api/v1/contacts

  Chat with it as a visitor of its web site would, in a browser:
    ${url}/chat/demo?subAccountId=${subAccountId}
  Book an appointment, and fill in a form:
    ${url}/book/${subAccountId}/check-up
    ${url}/f/${formId}
`;

const firstLines = (url: string): string => `
  Next, in another terminal, after the export below:
    bin/frontdesk admin sub-account create --name "My business"
    bin/frontdesk admin key create --name first --scopes all --sub-account ID
    curl -H "Authorization: Bearer KEY" ${url}/api/v1/contacts
`;
