import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { AliasedRawBuilder, Compilable, Kysely, Sql } from 'kysely';
import type { RecordSchema } from '#core/schema/record.ts';
import type { WirePage, WireRow } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';

export interface QueryBuilder<Tables> {
  readonly db: Kysely<Tables>;
  readonly sql: Sql;
  /** Selects the members of a record of a sub-account, in their order. */
  readonly membersOf: (
    record: RecordSchema,
    subAccountId: string,
  ) => AliasedRawBuilder<unknown, string>[];
}

let built: Promise<QueryBuilder<any>> | undefined;

/**
 * Returns MikroORM's Kysely for the tables of entities: `queryBuilder<typeof TaskTable>()`. It only
 * builds statements, since a View has no entity manager: `queryRows` and `queryWireRows` run them.
 * Kysely loads with the first statement, so that servers which never build one save 22 MB.
 */
export const queryBuilder = <Schemas extends { name: string }>(): Promise<
  QueryBuilder<InferKyselyDB<Schemas>>
> => (built ??= build());

async function build(): Promise<QueryBuilder<any>> {
  const { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } =
    await import('kysely');
  const db = new Kysely<any>({
    dialect: {
      createDriver: () => new DummyDriver(),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (one) => new PostgresIntrospector(one),
    },
  });
  // A statement that is no builder's has the sub-account as its first parameter.
  const membersOf = ({ columns }: RecordSchema, subAccountId: string) =>
    columns.map(({ name, expression }) => {
      const parts = expression.split('$1').map((part) => sql.raw(part));
      return sql.join(parts, sql`${subAccountId}`).as(name);
    });
  return { db, sql, membersOf };
}

export function queryRows<Row extends object>(view: View, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  return view.rows<Row>(sql, parameters);
}

/** Returns rows as PostgreSQL sent them, for records that are written as JSON. */
export function queryWireRows(view: View, query: Compilable): Promise<WireRow[]> {
  const { sql, parameters } = query.compile();
  return view.wireRows(sql, parameters);
}

/** The same for a page: the statement returns one row more than its size. */
export function queryWirePage(view: View, query: Compilable, size: number): Promise<WirePage> {
  const { sql, parameters } = query.compile();
  return view.wirePage(sql, parameters, size);
}
