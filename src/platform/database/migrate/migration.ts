/** A change of the schema. */
export interface NamedMigration {
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Declares a migration. There is no way back except a backup; a released migration is never edited.
 * Not in migrate.ts, so that comparing names does not load the migrator.
 */
export const defineMigration = (name: string, statements: readonly string[]): NamedMigration => ({
  name,
  statements,
});
