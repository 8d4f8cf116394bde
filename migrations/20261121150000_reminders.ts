import { defineMigration } from '#platform/database/migrate/migration.ts';

export const reminders = defineMigration('20261121150000_reminders', [
  // An attachment of an outbound mail: {name, type, content}.
  `alter table messages add column attachment jsonb`,

  // Notices about an appointment, so that none is sent twice.
  `create table appointment_notices (
    sub_account_id uuid not null,
    appointment_id uuid not null,
    notice text not null,
    written_at timestamptz(3) not null,
    primary key (sub_account_id, appointment_id, notice),
    foreign key (sub_account_id, appointment_id) references appointments (sub_account_id, id)
      on delete cascade
  )`,
]);
