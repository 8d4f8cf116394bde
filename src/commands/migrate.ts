import { defineCommand, type Outcome, type Switches } from '#core/command.ts';
import { counted } from '#lib/counted.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { adoptSecretKey, refuseWrongKey } from '#platform/config/installation.ts';
import type { Logger } from '#platform/config/logger.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { readClusterState, type ClusterState } from '#platform/database/cluster/nodes.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import {
  refuseLater,
  schemaState,
  type SchemaState,
} from '#platform/database/migrate/schema-state.ts';
import { requireSessions } from '#platform/database/require-sessions.ts';
import { migrations } from '#registry/migrations.ts';
import { describeNode } from '../operations/doctor/database/nodes.ts';
import { flushed, openLog } from './server/open-log.ts';

export const migrate = defineCommand()({
  path: 'migrate',
  summary: 'Apply pending database migrations',
  options: {
    dryRun: { flag: '--dry-run', help: 'list pending migrations without applying them' },
    check: {
      flag: '--check',
      help: 'apply nothing; exit 1 if a migration is pending or a table of a cluster is not distributed',
    },
  },
  examples: ['frontdesk migrate', 'frontdesk migrate --check --json'],
  context: 'none',
  async run(_, { dryRun, check }, switches) {
    return runMigrate({ apply: !dryRun && !check, isCheck: check === true }, switches);
  },
});

interface MigrateInput {
  readonly apply: boolean;
  readonly isCheck: boolean;
}

async function runMigrate({ apply, isCheck }: MigrateInput, switches: Switches): Promise<Outcome> {
  const environment = processEnvironment(['databaseUrl', 'secretKey']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl, secretKey } = environment;
  const log = await openLog(environment);
  try {
    if (!apply) {
      const { pending, cluster } = await stateIn(url, secretKey, log);
      const isComplete = pending.length === 0 && (cluster?.undistributed.length ?? 0) === 0;
      const schema = pending.length > 0 ? listed('pending', pending) : UP_TO_DATE;
      return {
        json: { applied: [], pending, cluster: cluster ?? null },
        text: [schema, ...(cluster ? linesOf(cluster) : [])].join('\n'),
        exitCode: isCheck && !isComplete ? 1 : 0,
      };
    }
    const bar = openProgressBar(switches, 'migrations');
    const applied = await migrateInstallation(url, secretKey, log, bar.update).finally(bar.clear);
    return {
      json: { applied, pending: [] },
      text: applied.length > 0 ? listed('applied', applied) : UP_TO_DATE,
    };
  } finally {
    await flushed(log);
  }
}

/** Returns the pending migrations, and the state of a cluster. Throws the Faults of applying them. */
const stateIn = (url: string, secretKey: Buffer, log: Logger) =>
  onInstallation(url, secretKey, log, async ({ rows }, { pending }) => ({
    pending,
    // An empty database has no tables to distribute yet.
    cluster: pending.length < migrations.length ? await readClusterState(rows) : undefined,
  }));

/** Returns the nodes and what is not where it belongs, a line each. */
const linesOf = ({ nodes, undistributed, misplacedShards }: ClusterState): string[] => [
  ...nodes.map(({ state, ...node }) => `node ${describeNode({ state, ...node })} is ${state}`),
  ...undistributed.map((table) => `undistributed ${table}`),
  ...(misplacedShards ? [`unbalanced: ${counted(misplacedShards, 'shard')} should move`] : []),
];

/** Applies pending migrations and binds the database to its key. Throws a Fault for another key. */
export const migrateInstallation = (
  url: string,
  secretKey: Buffer,
  log: Logger,
  onProgress?: (applied: number, share: number) => void,
): Promise<readonly string[]> =>
  onInstallation(url, secretKey, log, async (database) => {
    const applied = await applyMigrations(url, migrations, onProgress);
    await adoptSecretKey(database, secretsOf(secretKey));
    return applied;
  });

/** Throws a Fault for another key, for a pooler, and for a schema of a later release. */
async function onInstallation<R>(
  url: string,
  secretKey: Buffer,
  log: Logger,
  use: (database: Database, state: SchemaState) => Promise<R>,
): Promise<R> {
  const database = openDatabase({ url, connections: 1, name: 'frontdesk migrate', log });
  try {
    await requireSessions(database);
    await refuseWrongKey(database, secretsOf(secretKey));
    const state = await schemaState(database.rows, migrations);
    refuseLater(state);
    return await use(database, state);
  } finally {
    await database.close();
  }
}

const UP_TO_DATE = 'The schema is up to date.';

const listed = (what: string, names: readonly string[]): string =>
  names.map((name) => `${what} ${name}`).join('\n');
