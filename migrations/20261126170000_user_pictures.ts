import { defineMigration } from '#platform/database/migrate/migration.ts';

export const userPictures = defineMigration('20261126170000_user_pictures', [
  // A row holds the content: users belong to no sub-account, and stored files do. `id` is the address of
  // the content: a new picture has a new one, so that browsers can cache it.
  `create table user_pictures (
     user_id uuid primary key references users (id) on delete cascade,
     id uuid not null,
     type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
     content bytea not null check (octet_length(content) between 1 and 65536),
     created_at timestamptz(3) not null
   )`,
  `create unique index user_pictures_id on user_pictures (id)`,
]);
