import type { NamedMigration } from '../migrate/migration.ts';
import { CLUSTER_FUNCTIONS } from './cluster-functions.ts';

/**
 * Returns pending migrations as a database with distributed tables accepts them. The functions of a cluster
 * are created again with the last one, in its transaction: a running worker sees no others.
 */
export const forCluster = (migrations: readonly NamedMigration[]): NamedMigration[] =>
  migrations.map(({ name, statements }, at) => ({
    name,
    statements: [
      ...statements.flatMap(withKeysOfNewTables),
      ...(at === migrations.length - 1 ? CLUSTER_FUNCTIONS : []),
    ],
  }));

/**
 * Citus refuses a foreign key of a new table to a distributed one. It does not look at the statement if it is
 * not to be repeated on the nodes, and distributing the table creates its keys again.
 */
const withKeysOfNewTables = (statement: string): string[] =>
  /^\s*create table\b/i.test(statement)
    ? [propagation('off'), statement, propagation('on')]
    : [statement];

const propagation = (state: 'on' | 'off'): string =>
  `set local citus.enable_ddl_propagation = ${state}`;
