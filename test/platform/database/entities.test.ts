import { entityManagers } from '#platform/database/orm.ts';
import { entities } from '#registry/entities.ts';
import { describe, expect, test } from '../../support/service.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly optional: boolean;
}

/** What MikroORM calls a column's type, where PostgreSQL says otherwise. */
const STORED_AS: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp(3) with time zone',
  int: 'integer',
  float8: 'double precision',
};

/** Tables with a sub-account that is not first in a key of theirs, and why. */
const NOT_OF_ONE_SUB_ACCOUNT = new Map([
  ['outbox', 'has no key: rows stay for milliseconds and are taken by their age'],
  ['api_keys', 'agency keys belong to no sub-account'],
]);

const COLUMNS = `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    not a.attnotnull as nullable, a.atthasdef as optional
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and a.attnum > 0 and not a.attisdropped`;

const INDEXES = `select t.relname as table, i.relname as name,
    (select attname from pg_attribute where attrelid = t.oid and attnum = x.indkey[0]) as first
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
  where t.relnamespace = 'public'::regnamespace and (x.indisunique or x.indisprimary)`;

const FOREIGN_KEYS = `select t.relname as table, k.conname as name, r.relname as to,
    (select attname from pg_attribute where attrelid = t.oid and attnum = k.conkey[1]) as first
  from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and t.relnamespace = 'public'::regnamespace`;

describe('the schema', () => {
  test('has a column of fitting type for every property of every entity', async ({ running }) => {
    const columns = await running.database.rows<Column>(COLUMNS);
    const manager = entityManagers(entities)(() => running.database.pool.connect());
    let seen = 0;
    for (const entity of entities) {
      const { tableName, properties, primaryKeys } = manager.getMetadata().get<object>(entity);
      const own = columns.filter(({ table }) => table === tableName);
      expect(own.length, tableName).toBeGreaterThan(0);
      const mapped = new Set<string>();
      for (const { fieldNames, columnTypes, nullable } of Object.values<any>(properties)) {
        const [name] = fieldNames;
        const column = own.find((one) => one.name === name);
        const place = `${tableName}.${name}`;
        expect(column, place).toBeDefined();
        const [type = ''] = columnTypes;
        expect(column?.type, place).toBe(STORED_AS[type] ?? type);
        expect(column?.nullable, place).toBe(nullable === true);
        mapped.add(name);
        seen += 1;
      }
      // What the entity leaves out must fill itself.
      const unfilled = own.filter((one) => !mapped.has(one.name) && !one.nullable && !one.optional);
      expect(unfilled, tableName).toEqual([]);
      const ofSubAccount = own.some((one) => one.name === 'sub_account_id');
      if (ofSubAccount && !NOT_OF_ONE_SUB_ACCOUNT.has(tableName)) {
        expect(primaryKeys.slice(0, 2), tableName).toEqual(['subAccountId', 'id']);
      }
    }
    expect(seen).toBeGreaterThan(50);
  });

  test('puts the sub-account first in every key, unique index and reference', async ({
    running: { database },
  }) => {
    const columns = await database.rows<Column>(COLUMNS);
    const tables = columns
      .filter(({ name, table }) => name === 'sub_account_id' && !NOT_OF_ONE_SUB_ACCOUNT.has(table))
      .map(({ table }) => table);
    expect(tables.length).toBeGreaterThan(5);
    const nullable = columns.filter(
      ({ name, table, nullable: may }) =>
        name === 'sub_account_id' && may && tables.includes(table),
    );
    expect(nullable).toEqual([]);
    const keys = [
      ...(await database.rows<any>(INDEXES)),
      ...(await database.rows<any>(FOREIGN_KEYS)),
    ];
    const own = keys.filter(({ table }) => tables.includes(table));
    expect(new Set(own.map(({ table }) => table))).toEqual(new Set(tables));
    expect(own.filter(({ first }) => first !== 'sub_account_id')).toEqual([]);
  });

  test('lets no reference cross from one sub-account into another', async ({
    running: { database },
  }) => {
    const keys = await database.rows<{ table: string; to: string; first: string; name: string }>(
      FOREIGN_KEYS,
    );
    const crossing = keys.filter(({ first }) => first !== 'sub_account_id');
    expect(crossing).toEqual([]);
  });
});
