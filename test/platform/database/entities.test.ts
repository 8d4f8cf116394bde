import type { EntityProperty } from '@mikro-orm/core';
import { inject } from 'vitest';
import { entityManagers } from '#platform/database/orm.ts';
import type { Database } from '#platform/database/database.ts';
import { entities } from '#registry/entities.ts';
import { describe, expect, test } from '../../support/service.ts';

/** A table in words that compare: columns as `type null default … generated …`. */
interface Table {
  readonly columns: Readonly<Record<string, string>>;
  readonly primaryKey: readonly string[];
  readonly uniques: readonly string[];
  readonly foreignKeys: readonly string[];
}
type Schema = Readonly<Record<string, Table>>;

/** MikroORM's own list of the migrations that have run. */
const NOT_OURS = new Set(['migrations']);

/** MikroORM accepts no entity without a primary key. */
const WITHOUT_PRIMARY_KEY = new Set(['outbox']);

/** Tables with a sub-account that is not first in a key of theirs, and why. */
const NOT_OF_ONE_SUB_ACCOUNT = new Map([
  ['outbox', 'has no key: rows stay for milliseconds and are taken by their age'],
  ['api_keys', 'agency keys belong to no sub-account'],
]);

const isCluster = inject('nodeUrls').length > 0;

/** On a cluster, triggers clear references to deleted rows: Citus has no keys that do. */
const withoutActions = (schema: Schema): Schema =>
  Object.fromEntries(
    Object.entries(schema).map(([name, table]) => {
      const foreignKeys = table.foreignKeys.map((key) => key.replace(CLEARS, ''));
      return [name, { ...table, foreignKeys }];
    }),
  );
const CLEARS = / on delete set null \([^)]*\)$/;

describe('the entities', () => {
  test('are the tables of the migrated database, with their columns, keys and references', async ({
    running: { database },
  }) => {
    const migrated = await migratedSchema(database);
    const mapped = isCluster ? withoutActions(mappedSchema()) : mappedSchema();
    expect(Object.keys(mapped)).toEqual(Object.keys(migrated));
    expect(mapped).toEqual(migrated);
    expect(Object.keys(mapped).length).toBeGreaterThan(50);
  });

  test('differ from a database with one more column, table, key or reference', async ({
    running: { database },
  }) => {
    const changes = [
      'alter table tasks add column colour text',
      'alter table tasks alter column description set not null',
      'alter table tasks alter column title type varchar(200)',
      `alter table tasks alter column title set default ''`,
      'alter table tasks drop column reminded_of',
      'alter table tasks drop constraint tasks_deal_fkey',
      'alter table tasks add unique (sub_account_id, title)',
      'create table colours (sub_account_id uuid, id uuid, primary key (sub_account_id, id))',
    ];
    const before = await migratedSchema(database);
    for (const change of changes) {
      const client = await database.pool.connect();
      try {
        await client.query('begin');
        await client.query(change);
        const rows = async (text: string) => (await client.query(text)).rows;
        expect(await migratedSchema({ rows } as never), change).not.toEqual(before);
      } finally {
        await client.query('rollback');
        client.release();
      }
    }
  });
});

describe('the schema', () => {
  test('puts the sub-account first in every key, unique index and reference', async ({
    running: { database },
  }) => {
    const schema = Object.entries(await migratedSchema(database)).filter(
      ([name, { columns }]) => 'sub_account_id' in columns && !NOT_OF_ONE_SUB_ACCOUNT.has(name),
    );
    expect(schema.length).toBeGreaterThan(5);
    for (const [name, { columns, primaryKey, uniques, foreignKeys }] of schema) {
      expect(columns['sub_account_id'], name).toBe('uuid');
      expect(primaryKey[0], name).toBe('sub_account_id');
      for (const key of [...uniques, ...foreignKeys]) {
        expect(key, name).toMatch(OF_SUB_ACCOUNT_OR_USER);
      }
    }
  });

  test('lets no reference cross from one sub-account into another', async ({
    running: { database },
  }) => {
    const references = Object.values(await migratedSchema(database)).flatMap(
      ({ foreignKeys }) => foreignKeys,
    );
    expect(references.length).toBeGreaterThan(50);
    const within =
      /^\(sub_account_id(?:, \w+)*\) references (?:sub_accounts \(id\)|\w+ \(sub_account_id, )/;
    const crossing = references.filter((one) => !within.test(one) && !TO_USER.test(one));
    expect(crossing).toEqual([]);
  });
});

/** Users belong to the installation. */
const TO_USER = /^\(user_id\) references users \(id\)/;
const OF_SUB_ACCOUNT_OR_USER = /^\((?:sub_account_id\b|user_id\) references users \(id\))/;

function mappedSchema(): Schema {
  const manager = entityManagers()(() => Promise.reject(new Error('not connected')));
  const tables = entities.map((entity) => {
    const { tableName, props, primaryKeys, uniques } = manager.getMetadata().get<object>(entity);
    const columnOf = (property: string) =>
      props.find(({ name }) => name === property)?.fieldNames[0];
    const single = props.filter(({ unique }) => unique).map(({ name }) => ({ properties: name }));
    const table: Table = {
      columns: Object.fromEntries(props.map((one) => [one.fieldNames[0], mappedColumn(one)])),
      primaryKey: WITHOUT_PRIMARY_KEY.has(tableName)
        ? []
        : primaryKeys.map((key) => columnOf(key) ?? ''),
      uniques: [...single, ...uniques]
        .map(({ properties = [], where = '' }: { properties?: string | string[]; where?: any }) => {
          const columns = [properties].flat().map(columnOf).join(', ');
          return `(${columns})${where && ` where ${bare(where)}`}`;
        })
        .sort(),
      foreignKeys: ('foreignKeys' in entity ? [...entity.foreignKeys] : []).sort(),
    };
    return [tableName, table] as const;
  });
  return Object.fromEntries(tables.sort(byName));
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : Number(one > other);

/** PostgreSQL's names of types where MikroORM has others. Times have milliseconds by default. */
const TYPES: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp(3) with time zone',
  'timestamptz(6)': 'timestamp with time zone',
  int: 'integer',
  float8: 'double precision',
};

function mappedColumn(property: EntityProperty): string {
  const { columnTypes, nullable, defaultRaw, generated } = property;
  const [type = ''] = columnTypes;
  const standard = defaultRaw ?? property.default;
  return [
    TYPES[type] ?? type,
    nullable && 'null',
    standard !== undefined && `default ${bare(String(standard))}`,
    typeof generated === 'string' && `generated ${bare(generated.replace(/ stored$/, ''))}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** An expression without the parentheses, casts, quotes and capitals that PostgreSQL adds. */
const bare = (expression: string): string =>
  expression.toLowerCase().replaceAll(/[()"]|::\w+(?:\[\])?/g, '');

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly generated: boolean;
  readonly expression: string | null;
}

interface IndexRow {
  readonly table: string;
  readonly kind: 'p' | 'u';
  readonly columns: readonly string[];
  readonly where: string | null;
}

async function migratedSchema({ rows }: Pick<Database, 'rows'>): Promise<Schema> {
  const columns = await rows<ColumnRow>(COLUMNS, []);
  const indexes = await rows<IndexRow>(INDEXES, []);
  const references = await rows<{ table: string; reference: string }>(FOREIGN_KEYS, []);
  const names = [...new Set(columns.map(({ table }) => table))].filter((one) => !NOT_OURS.has(one));
  const tables = names.map((name) => {
    const isOwn = ({ table }: { readonly table: string }) => table === name;
    const own = indexes.filter(isOwn);
    const table: Table = {
      columns: Object.fromEntries(
        columns.filter(isOwn).map((one) => [one.name, migratedColumn(one)]),
      ),
      primaryKey: own.find(({ kind }) => kind === 'p')?.columns ?? [],
      uniques: own
        .filter(({ kind }) => kind === 'u')
        .map((one) => `(${one.columns.join(', ')})${one.where ? ` where ${bare(one.where)}` : ''}`)
        .sort(),
      foreignKeys: references
        .filter(isOwn)
        .map(({ reference }) => referenceOf(reference))
        .sort(),
    };
    return [name, table] as const;
  });
  return Object.fromEntries(tables.sort(byName));
}

const migratedColumn = ({ type, nullable, generated, expression }: ColumnRow): string =>
  [
    type,
    nullable && 'null',
    expression !== null && `${generated ? 'generated' : 'default'} ${bare(expression)}`,
  ]
    .filter(Boolean)
    .join(' ');

const referenceOf = (definition: string): string =>
  definition
    .toLowerCase()
    .replace(/^foreign key /, '')
    .replace(/(references \w+)\(/, '$1 (');

const COLUMNS = `select c.relname as table, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
    a.attgenerated <> '' as generated, pg_get_expr(d.adbin, d.adrelid) as expression
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

const INDEXES = `select t.relname as table, k.columns,
    case when x.indisprimary then 'p' else 'u' end as kind,
    pg_get_expr(x.indpred, x.indrelid) as where
  from pg_index x join pg_class t on t.oid = x.indrelid
  cross join lateral (
    select array_agg(a.attname::text order by place) as columns
    from unnest(x.indkey::int2[]) with ordinality as listed (number, place)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = listed.number
  ) as k
  where t.relnamespace = 'public'::regnamespace and x.indisunique`;

const FOREIGN_KEYS = `select conrelid::regclass::text as table,
    pg_get_constraintdef(oid) as reference
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
