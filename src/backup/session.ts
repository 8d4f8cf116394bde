/** Whatever the server or the role says about time: copying a whole table takes as long as it takes. */
export const PATIENT = `
  select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/** How values are written, whatever the server prefers: the same in every version. */
export const PLAIN_VALUES = `
  select set_config(name, wanted, true)
  from (values ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'),
    ('extra_float_digits', '1'), ('bytea_output', 'hex')) as setting (name, wanted)`;
