import { createRequire } from 'node:module';
import type { Transact, View } from '#kit/work.ts';
import { noChanges, openChanges, type Changes } from '#platform/changes.ts';
import { openDatabase, type Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import type { EntityManagers } from '#platform/orm.ts';
import { secretsOf, type InstallationSecrets } from '#platform/secrets.ts';
import { transactor } from '#platform/transact.ts';
import { viewer } from '#platform/view.ts';
import { entities } from '#registry/entities.ts';
import { reactions } from '#registry/reactions.ts';

export interface ServiceSettings {
  readonly databaseUrl: string;
  readonly secretKey: Buffer;
  readonly connections: number;
  readonly name: string;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Listen for changes, to keep keys and definitions in memory: for processes that stay. */
  readonly stays: boolean;
}

/** Everything that reads and writes goes through these, in the server, the worker and the CLI alike. */
export interface Service {
  readonly database: Database;
  readonly changes: Changes;
  readonly transact: Transact;
  readonly openView: (subAccountId: string, now: Date) => View;
  readonly secrets: InstallationSecrets;
  readonly log: Logger;
  readonly clock: () => Date;
  close(): Promise<void>;
}

/** Connections are made when the first statement wants one, so that a database may come later. */
export function openService(settings: ServiceSettings): Service {
  const { databaseUrl, secretKey, connections, name, log, clock, stays } = settings;
  const database = openDatabase({ url: databaseUrl, connections, name, log });
  const changes = stays ? openChanges(databaseUrl, database, log) : noChanges;
  const openView = viewer(database, changes);
  const transact = transactor({
    database,
    entityManagers: lazyEntityManagers(),
    reactions,
    openView,
    clock,
  });
  return {
    database,
    changes,
    transact,
    openView,
    secrets: secretsOf(secretKey),
    log,
    clock,
    async close() {
      await changes.close();
      await database.close();
    },
  };
}

const require = createRequire(import.meta.url);

/** The ORM loads with the first change that uses entities: 90 ms and 20 MB that reading never needs. */
function lazyEntityManagers(): EntityManagers {
  let made: EntityManagers | undefined;
  return (connect) => {
    made ??= (require('../platform/orm.ts') as Orm).entityManagers(entities);
    return made(connect);
  };
}

type Orm = typeof import('#platform/orm.ts');
