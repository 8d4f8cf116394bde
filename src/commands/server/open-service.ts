import { randomBytes } from 'node:crypto';
import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Tools } from '#core/tools.ts';
import type { Transact, View } from '#core/work.ts';
import { readEnvironment, type Environment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { requireSecretKey } from '#platform/config/installation.ts';
import type { Logger } from '#platform/config/logger.ts';
import { KEY_BYTES, secretsOf } from '#platform/config/secrets.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { refuseLater, schemaState } from '#platform/database/migrate/schema-state.ts';
import { entityManagers, type EntityManagers } from '#platform/database/orm.ts';
import { openReplica, type Replica } from '#platform/database/replica.ts';
import { requireSessions } from '#platform/database/require-sessions.ts';
import { viewer } from '#platform/database/view.ts';
import { transactor } from '#platform/database/work/transact.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';
import type { StorageSettings } from '#platform/files/storage/storage.ts';
import { openMailer } from '#platform/mail/mailer.ts';
import { noChanges, openChanges, type Changes } from '#platform/notify/changes.ts';
import { openOutboxNotifier } from '#platform/notify/outbox-notifier.ts';
import { openOpenId, type OpenIdVariables } from '#platform/open-id/provider.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { migrations } from '#registry/migrations.ts';
import { examine } from '../../operations/doctor/examine.ts';
import { examinedBy, type ExaminedSettings } from './examined-by.ts';
import { openLog } from './open-log.ts';
import { reactions } from '#registry/reactions.ts';

interface OpenCheckedServiceInput {
  readonly environment: Environment & { readonly databaseUrl: string; readonly secretKey: Buffer };
  readonly log: Logger;
  readonly name: string;
  readonly connections: number;
  readonly stays: boolean;
  /** Accepts a database that was encrypted with another key. */
  readonly anyKey?: boolean;
}

/** Opens the log and the service of a command that is not a server, as the environment says. */
export async function openCommandService(
  options: Omit<OpenCheckedServiceInput, 'environment' | 'log'>,
) {
  const source = withEnvironmentFile(process.env);
  const environment = options.anyKey
    ? withSomeKey(readEnvironment(source, ['databaseUrl']))
    : readEnvironment(source, ['databaseUrl', 'secretKey']);
  const log = await openLog(environment);
  return { environment, log, service: await openCheckedService({ ...options, environment, log }) };
}

/** Such commands decrypt nothing: a random key stands in for the lost one. */
const withSomeKey = <E extends Environment>(environment: E) => ({
  ...environment,
  secretKey: environment.secretKey ?? randomBytes(KEY_BYTES),
});

/** Opens the service and checks its database. Throws a Fault, with everything closed, if it does not fit. */
export async function openCheckedService(input: OpenCheckedServiceInput): Promise<Service> {
  const { environment, anyKey = false, ...settings } = input;
  const { databaseUrl, databaseSessionUrl, databaseReplicaUrl, secretKey } = environment;
  const addresses = {
    databaseUrl,
    sessionUrl: databaseSessionUrl,
    replicaUrl: databaseReplicaUrl,
  };
  const clock = () => new Date();
  const service = openService({
    ...settings,
    ...addresses,
    secretKey,
    clock,
    network: environment,
    files: environment,
  });
  const check = async () => {
    await requireSessions(service.database);
    await requireCurrentSchema(service.database);
    if (!anyKey) {
      await requireSecretKey(service.database, service.secrets);
    }
  };
  try {
    await check().catch(retryAfterTimeout(check));
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * Modules load while the first connection is made. On a slow machine that blocks the event loop beyond
 * the connection timeout, and its timer fires before the response is read.
 */
const retryAfterTimeout =
  (check: () => Promise<void>) =>
  (error: unknown): Promise<void> => {
    if (error instanceof Error && CONNECT_TIMEOUT.test(error.message)) {
      return check();
    }
    throw error;
  };

const CONNECT_TIMEOUT =
  /connection timeout|timeout expired|timeout exceeded when trying to connect/;

/** Throws a Fault if the schema is older or newer than this release. */
export async function requireCurrentSchema({ rows }: Pick<Database, 'rows'>): Promise<void> {
  const state = await schemaState(rows, migrations);
  refuseLater(state);
  const { pending } = state;
  if (pending.length > 0) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `the database lacks ${pending.length} migration(s), the first is ${pending[0]}: run frontdesk migrate`,
    );
  }
}

interface ServiceSettings {
  readonly databaseUrl: string;
  /** PostgreSQL itself, if `databaseUrl` is a pooler. */
  readonly sessionUrl?: string | undefined;
  /** Lists are read from here while it is up to date. */
  readonly replicaUrl?: string | undefined;
  readonly secretKey: Buffer;
  readonly connections: number;
  readonly name: string;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Listens for changes, to cache keys and definitions: for long-running processes. */
  readonly stays: boolean;
  readonly network?: ServiceOptions;
  /** Where files are stored. */
  readonly files: StorageSettings;
}

/** Settings of connections to other systems. */
export interface ServiceOptions extends ExaminedSettings, OpenIdVariables {}

/** What the server, the worker and the command line read and write with. */
export interface Service {
  readonly database: Database;
  readonly changes: Changes;
  readonly transact: Transact;
  readonly openView: (subAccountId: string, now: Date) => View;
  /** For lists and searches, which a replica may answer. */
  readonly openListView: (subAccountId: string, now: Date) => View;
  readonly secrets: Secrets;
  readonly tools: Tools;
  readonly log: Logger;
  readonly clock: () => Date;
  close(): Promise<void>;
}

/** Connects with the first statement, so that the database may start later. */
export function openService(settings: ServiceSettings): Service {
  const { databaseUrl: url, sessionUrl = url, secretKey, log, clock, network = {} } = settings;
  const database = openDatabase({ ...settings, url, sessionUrl });
  const changes = settings.stays ? openChanges(sessionUrl, database, log) : noChanges;
  const openView = viewer(database, changes);
  const replica = replicaOf(settings, database);
  const outboxNotifier = openOutboxNotifier(database, log);
  const secrets = secretsOf(secretKey);
  const { outboundAllow = [] } = network;
  const outbound = openOutbound({ allow: outboundAllow });
  const files = openFileStore(settings.files, log);
  const tools: Tools = {
    secrets,
    outbound,
    outboundAllow,
    mailer: openMailer({ ...network, log }),
    openId: openOpenId({ ...network, log }),
    notifications: changes,
    files,
    examine: () =>
      examine(examinedBy({ database, outbound, secrets, openView, log, network, files })),
  };
  const transact = transactor({
    database,
    entityManagers: entityManagersOnDemand(),
    reactions,
    openView,
    clock,
    onEvents: outboxNotifier.notify,
  });
  return {
    database,
    changes,
    transact,
    openView,
    openListView: replica
      ? (subAccountId, now) => {
          const view = openView(subAccountId, now);
          return { ...view, ...replica.openReading(view) };
        }
      : openView,
    secrets,
    tools,
    log,
    clock,
    async close() {
      await outboxNotifier.close();
      await Promise.all([changes.close(), tools.outbound.close(), tools.mailer.close()]);
      await Promise.all([database.close(), replica?.close()]);
    },
  };
}

/** Builds the ORM's metadata with the first change: reads never need its 90 ms and 20 MB. */
function entityManagersOnDemand(): EntityManagers {
  let made: EntityManagers | undefined;
  return (connect, onUpdate) => (made ??= entityManagers())(connect, onUpdate);
}

const replicaOf = (
  { replicaUrl: url, log }: ServiceSettings,
  primary: Database,
): Replica | undefined => (url === undefined ? undefined : openReplica({ url, primary, log }));
