import { expect, test } from '../../support/service.ts';

/** Tables without lasting rows: on a cluster they are logged. */
const UNLOGGED = ['changes', 'presences'];

const ANALYSED_LATE = `select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and (c.relname = 'sub_accounts' or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'sub_account_id'
    ))
    and not coalesce(c.reloptions, '{}') @> array['autovacuum_analyze_scale_factor=0',
      'autovacuum_analyze_threshold=2000']
    and c.relname <> all($1)
  order by 1`;

test('the rows of a new sub-account are analysed, however many others have', async ({ shared }) => {
  expect(await shared.database.rows(ANALYSED_LATE, [UNLOGGED])).toEqual([]);
});
