import type { Client } from 'pg';

const SYLLABLES =
  'ba be bi bo bra cor dan del den el fen gar gri ha hol jan kel kra lan lem lo mar mel mil mon nar nel nor ost pel per qui rad ren ros sal san sel sto tam tel tor ul van vel vin wal zan bru fi';
const FIRST_NAMES = 200;

/** Makes the most frequent of 200 first names occur in 4 % of the rows. */
const SKEW = 1.645;

/** The first name of 4 % of the contacts; no other name contains it. */
export const COMMON_WORD = 'Katharina';

/**
 * Inserts `rows` contacts into a new sub-account in one statement, with names distributed like real
 * ones. Triggers are skipped; their rows are written here.
 */
export async function loadContacts(sql: Client, subAccountId: string, rows: number): Promise<void> {
  await sql.query('begin');
  await sql.query('set local session_replication_role = replica');
  await sql.query(CREATE_WORD);
  await sql.query(INSERT_CONTACTS, [subAccountId, rows, COMMON_WORD]);
  await sql.query(
    `insert into contact_emails (sub_account_id, email, contact_id)
     select sub_account_id, email, id from contacts where sub_account_id = $1`,
    [subAccountId],
  );
  await sql.query(
    `insert into tallies (sub_account_id, noun, difference) values ($1, 'contacts', $2)`,
    [subAccountId, rows],
  );
  await sql.query('commit');
}

/** Runs `load` without the indexes that are faster to build afterwards. */
export async function withoutIndexes(sql: Client, load: () => Promise<void>): Promise<void> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'contacts'::regclass and not indisprimary`,
  );
  await sql.query(`drop index ${rows.map(({ name }) => name).join(', ')}`);
  await load();
  await sql.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) {
    await sql.query(definition);
  }
  await sql.query('vacuum (analyze)');
  await sql.query('checkpoint');
}

/** The n-th word: two syllables below 2,500, three from there on. */
const CREATE_WORD = `
  create or replace function pg_temp.word(n int) returns text language sql immutable return
    (string_to_array('${SYLLABLES}', ' '))[1 + n % 50]
    || (string_to_array('${SYLLABLES}', ' '))[1 + n / 50 % 50]
    || case when n < 2500 then '' else (string_to_array('${SYLLABLES}', ' '))[1 + n / 2500 % 50] end`;

/** Each name is the word of a random number; low numbers are frequent. */
const INSERT_CONTACTS = `
  insert into contacts (sub_account_id, id, first_name, last_name, email, phone, company, tags,
    lifecycle_stage, source, city, country, custom_fields, addresses, created_at, updated_at)
  select $1::uuid, uuidv7((n - $2::int) * interval '1 second'), first, last, email,
    '+4930' || lpad(n::text, 8, '0'), initcap(pg_temp.word(company)) || ' GmbH',
    case when n % 3 = 0 then array['newsletter', 'vip'] else '{}'::text[] end,
    (array['lead', 'qualified', 'customer'])[1 + n % 3], 'website', 'Berlin', 'DE',
    '{"plan": "basic", "seats": 5}', array[email, '+4930' || lpad(n::text, 8, '0')], at, at
  from (
    select n, at, case when first = 0 then $3 else initcap(pg_temp.word(first + 7)) end as first,
      initcap(pg_temp.word(last)) as last, company,
      pg_temp.word(first) || '.' || pg_temp.word(last) || n || '@example.org' as email
    from (
      select n, now() + (n - $2::int) * interval '1 second' as at,
        floor(power(random(), ${SKEW}) * ${FIRST_NAMES})::int as first,
        2500 + floor(power(random(), 2) * 100000)::int as last,
        2500 + floor(power(random(), 2) * 60000)::int as company
      from generate_series(1, $2::int) as n
    ) as drawn
  ) as person`;
