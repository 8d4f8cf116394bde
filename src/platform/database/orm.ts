import type { ChangeSet } from '@mikro-orm/core';
import { createPostgreSqlTypeParsers, MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely';
import { TypeOverrides, type PoolClient } from 'pg';
import array from 'postgres-array';

/** Makes entity managers that run their statements in a transaction which their caller began. */
export type EntityManagers = (
  connect: () => Promise<PoolClient>,
  onUpdate?: (change: ChangeSet<object>) => void,
) => EntityManager;

/**
 * MikroORM without connections of its own: it provides the unit of work, `Work` the transaction.
 * `connect` is called with the first statement, so an unused manager costs no round trip.
 */
export function entityManagers(): EntityManagers {
  const orm = new MikroORM({
    entities: [],
    clientUrl: 'postgres://work/only',
    driverOptions: dialectOn(() => Promise.reject(new Error('entities are used inside a Work'))),
    // It would be looked for through a connection of the ORM, which has none.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    implicitTransactions: false,
    forceUtcTimezone: true,
    validateRequired: true,
    colors: false,
  });
  orm.config.getPlatform().marshallArray = arrayLiteral;
  discoverOnUse(orm);
  return (connect, onUpdate) => {
    const em = orm.em.fork({ freshEventManager: onUpdate !== undefined });
    if (onUpdate) {
      em.getEventManager().registerSubscriber({
        async afterUpdate({ changeSet }) {
          if (changeSet) {
            onUpdate(changeSet);
          }
        },
      });
    }
    em.setTransactionContext(new Kysely({ dialect: dialectOn(connect) }));
    return em;
  };
}

/**
 * Returns an array as PostgreSQL reads it. MikroORM leaves `null` and outer blanks unquoted, which
 * PostgreSQL reads as no value and drops, and writes line feeds as JSON does, which it does not know.
 */
const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;

/**
 * Discovers an entity when it is first used. All 61 at once take 80 ms and 9 MB, and a process uses
 * a handful.
 */
function discoverOnUse(orm: MikroORM): void {
  const metadata = orm.getMetadata();
  const find = metadata.find.bind(metadata);
  metadata.find = (entity) => {
    const known = find(entity);
    if (known || typeof entity !== 'function') {
      return known;
    }
    orm.discoverEntity(entity as new () => unknown);
    return find(entity);
  };
}

const dialectOn = (connect: () => Promise<PoolClient>): Dialect => ({
  createDriver: () => driverOn(connect),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

const nothing = () => Promise.resolve();

const driverOn = (connect: () => Promise<PoolClient>): Driver => ({
  acquireConnection: async () => connectionOn(await connect()),
  init: nothing,
  beginTransaction: nothing,
  commitTransaction: nothing,
  rollbackTransaction: nothing,
  releaseConnection: nothing,
  destroy: nothing,
});

const connectionOn = (client: PoolClient): DatabaseConnection => ({
  async executeQuery({ sql, parameters }) {
    const { command, rowCount, rows } = await client.query({
      text: sql,
      values: [...parameters],
      types: ormTypes,
    });
    return {
      rows,
      ...(command !== 'SELECT' && { numAffectedRows: BigInt(rowCount ?? 0) }),
    };
  },
  streamQuery: () => {
    throw new Error('entities are not streamed; write a statement');
  },
});

/** MikroORM maps dates, arrays and numbers itself, and expects them as its own driver returns them. */
const ormTypes = new TypeOverrides();
const parsers = createPostgreSqlTypeParsers((text) => array.parse(text));
for (const [oid, parser] of Object.entries(parsers)) {
  ormTypes.setTypeParser(Number(oid), parser);
}
