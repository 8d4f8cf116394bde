import { defineMigration } from '#platform/database/migrate/migration.ts';

export const unprovenSenders = defineMigration('20261124011000_unproven_senders', [
  // Inbound mails whose sender may be forged: they show nothing to anyone.
  `alter table messages add is_unproven boolean not null default false`,
]);
