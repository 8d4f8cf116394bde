import { inject } from 'vitest';
import { expect, test } from '../../support/service.ts';

/** Settings: a sub-account has few rows of them, so their deletion may read all rows that refer to them. */
const FEW_ROWS = new Set([
  'appointment_types',
  'calendars',
  'forms',
  'lists',
  'mail_templates',
  'pipeline_stages',
  'recurring_campaigns',
  'team_members',
  'workflow_versions',
]);

/**
 * References between tables of sub-accounts, each without an index that begins with its columns. The
 * check of a reference names the column, so an index of its rows that are not null will do.
 */
const WITHOUT_INDEX = `
  select conrelid::regclass::text as "from", confrelid::regclass::text as "to", columns
  from pg_constraint, lateral (
    select array_agg(attname::text order by place) as columns
    from unnest(conkey) with ordinality as key (number, place)
    join pg_attribute on attrelid = conrelid and attnum = number
  ) as named
  where contype = 'f' and connamespace = 'public'::regnamespace and cardinality(conkey) > 1
    and not exists (
      select from pg_index
      where indrelid = conrelid
        and conkey <@ (indkey::int2[])[0:cardinality(conkey) - 1]
        and (indpred is null
          or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', columns[cardinality(columns)]))
    )`;

// A cluster distributes some tables and has other constraints.
test.skipIf(inject('nodeUrls').length > 0)(
  'what refers to a table of many rows is found by an index when rows of it are deleted',
  async ({ service }) => {
    const found = await service.database.rows<{ from: string; to: string; columns: string[] }>(
      WITHOUT_INDEX,
      [],
    );
    const missing = found.filter(({ to }) => !FEW_ROWS.has(to));
    expect(
      missing.map(({ from, to, columns }) => `${from} (${columns.join(', ')}) → ${to}`),
    ).toEqual([]);
  },
);
