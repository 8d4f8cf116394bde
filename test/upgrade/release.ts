import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { NamedMigration } from '#platform/database/migrate/migration.ts';

/** A populated database of each release, as a backup that the release wrote. */
export const FOLDER = join(import.meta.dirname, 'releases');

/** The secret key of these installations, which contain no real data. */
export const SECRET_KEY = Buffer.alloc(32, 'frontdesk');

/** The file beside a backup. */
export interface Release {
  readonly version: string;
  /** SHA-256 of the text of each migration, by name, in order. */
  readonly migrations: Readonly<Record<string, string>>;
}

export const digestsOf = (migrations: readonly NamedMigration[]): Release['migrations'] =>
  Object.fromEntries(
    migrations.map(({ name, statements }) => [
      name,
      createHash('sha256').update(JSON.stringify(statements)).digest('hex'),
    ]),
  );
