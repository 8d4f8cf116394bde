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

type Entities = NonNullable<ConstructorParameters<typeof MikroORM>[0]>['entities'];

/** Creates entity managers that work inside a given transaction. */
export type EntityManagers = (connect: () => Promise<PoolClient>) => EntityManager;

/**
 * MikroORM without connections of its own: it provides the unit of work, `Work` the transaction.
 * `connect` is called with the first statement, so an unused manager costs no round trip.
 */
export function entityManagers(entities: Entities): EntityManagers {
  const orm = new MikroORM({
    entities: entities ?? [],
    clientUrl: 'postgres://work/only',
    driverOptions: dialectOn(() => Promise.reject(new Error('entities are used inside a Work'))),
    // It would use a connection of its own.
    ensureDatabase: false,
    implicitTransactions: false,
    forceUtcTimezone: true,
    validateRequired: true,
    colors: false,
  });
  return (connect) => {
    const em = orm.em.fork();
    em.setTransactionContext(new Kysely({ dialect: dialectOn(connect) }));
    return em;
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
