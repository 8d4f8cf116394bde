/** One step of the schema. */
export interface NamedMigration {
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * Declares a step, forward only: a backup is the way back. Never edited once released. Whoever only
 * compares names loads no migrator with it.
 */
export const defineMigration = (name: string, statements: readonly string[]): NamedMigration => ({
  name,
  statements,
});
