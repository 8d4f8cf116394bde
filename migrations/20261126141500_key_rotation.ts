import { defineMigration } from '#platform/database/migrate/migration.ts';

export const keyRotation = defineMigration('20261126141500_key_rotation', [
  // The value before the last rotation: its prefix, as logs show it, and when it was last used.
  `alter table api_keys add previous_prefix text, add previous_used_at timestamptz(3)`,
]);
