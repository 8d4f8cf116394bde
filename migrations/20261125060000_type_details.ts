import { defineMigration } from '#platform/database/migrate/migration.ts';

export const typeDetails = defineMigration('20261125060000_type_details', [
  // What the booking pages say about a type.
  `alter table appointment_types
     add description text,
     add price double precision check (price >= 0),
     add location text,
     add video_url text`,
]);
