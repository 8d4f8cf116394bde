import { randomUUID } from 'node:crypto';
import { defineCommand, type Outcome, type Switches } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import type { Actor } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { applyEarlierMigrations, applyMigrations } from '#platform/database/migrate/migrate.ts';
import { appliedMigrations, withClient } from '#platform/database/migrate/schema-state.ts';
import { writeOfAudit } from '#platform/database/work/deferred-writes.ts';
import { migrations } from '#registry/migrations.ts';
import { tablesOf } from '../backup/catalogue.ts';
import { loadBackup, requireEmpty } from '../backup/load-backup.ts';
import { checkBackup, requireItsKey, stepsTo, requireWhole } from '../backup/check-backup.ts';
import { askerOf } from '../backup/session.ts';
import { databaseText, describeContents } from '../backup/describe-target.ts';
import { restoreFiles } from '../backup/files.ts';
import { processesOf } from '../operations/operation-status.ts';
import { counted } from '#lib/counted.ts';
import { filesOf, sumOf } from './backup.ts';
import { installationPlace } from './installation-place.ts';
import { osUser } from './open-admin.ts';

export const restore = defineCommand()({
  path: 'restore',
  summary: 'Restore a backup into an empty database; workers stay paused until admin release',
  arguments: ['file'],
  options: {
    force: { flag: '--force', help: 'replace all data in the database' },
  },
  examples: [
    'frontdesk restore /srv/backups/frontdesk.backup',
    'frontdesk restore frontdesk.backup --force --yes',
  ],
  confirmWhen: 'with `--force`',
  confirm: ({ force, file }) =>
    force ? `Replace all data in the database with the backup ${file}?` : undefined,
  question: async (_, { file }) => ({ text: await replaceQuestion(file) }),
  context: 'none',
  async run(_, { file, force }, switches) {
    return runRestore({ file, force: force ?? false }, switches);
  },
});

/** Names the installation that is replaced, and the processes that use it. */
async function replaceQuestion(file: string): Promise<string> {
  const { url, text: place } = installationPlace();
  return withClient(url, async (client) => {
    const ask = askerOf(client);
    const contents = await describeContents(ask);
    const uses = contents === undefined ? [] : await processesOf({ rows: ask });
    const inUse = uses.filter(({ hasDied }) => !hasDied);
    const users = inUse.map(({ kind, host, pid }) => `${kind} ${host}:${pid}`).join(', ');
    const use = users === '' ? 'not in use' : `in use by ${users}`;
    return `Replace all data of ${place} (${contents ?? 'without tables of Frontdesk'}, ${use}) with the backup ${file}?`;
  });
}

interface RestoreInput {
  readonly file: string;
  readonly force: boolean;
}

/** Restores a backup; all checks run before anything is written. */
async function runRestore({ file, force }: RestoreInput, switches: Switches): Promise<Outcome> {
  const environment = processEnvironment(['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl, secretKey } = environment;
  const { header, trailer } = await checkBackup(file);
  requireWhole(file, header);
  const names = migrations.map(({ name }) => name);
  const steps = stepsTo(file, header, names);
  if (secretKey) {
    requireItsKey(file, header, secretsOf(secretKey));
  }
  await requireReady(url, { file, force }, names.slice(0, steps));
  await applyEarlierMigrations(url, migrations.slice(0, steps));
  let restored = 0;
  // Workers are paused: none removes contents of files that the backup brings back.
  const prepare = async () => {
    restored = await restoreFiles({ url, file, files: filesOf(environment) });
  };
  const reason = `restored from a backup of ${header.takenAt}`;
  const audit = writeOfAudit({ subAccountId: AGENCY, now: new Date(), actor: actor() }, BACKUP);
  const bar = openProgressBar(switches);
  const onRead = (share: number) => bar.update(Math.round(sumOf(trailer.rows) * share), share);
  const load = { url, file, force, reason, audit, onRead, prepare };
  const { rows } = await loadBackup(load).finally(bar.clear);
  const migrating = openProgressBar(switches, 'migrations');
  const migrated = await applyMigrations(url, migrations, migrating.update).finally(
    migrating.clear,
  );
  return {
    json: { file, takenAt: header.takenAt, rows, files: restored, migrated, held: true },
    text: `restored ${sumOf(rows)} rows${restored > 0 ? ` and ${counted(restored, 'file')}` : ''} as of ${header.takenAt}; the counts match${migrated.length > 0 ? `; then applied ${migrated.length} migration(s) that are later than Frontdesk ${header.product}` : ''}
Workers are paused, so nothing that is overdue is sent. Check the data, then resume them with
  frontdesk admin release`,
  };
}

/** The record id in audit entries. */
const BACKUP = 'backup';

const actor = (): Actor => ({
  kind: 'cli',
  name: osUser(),
  requestId: randomUUID(),
  operation: 'restore',
});

/** Throws a Fault unless the database is empty or replaced, and has no migrations beyond `steps`. */
const requireReady = (url: string, { file, force }: RestoreInput, steps: readonly string[]) =>
  withClient(url, async (client) => {
    const ask = askerOf(client);
    if (!force) {
      await requireEmpty(ask, await tablesOf(ask), databaseText(url));
    }
    const beyond = (await appliedMigrations(ask)).filter((name) => !steps.includes(name));
    if (beyond.length > 0) {
      throw new Fault(
        'VALIDATION_ERROR',
        `the database is ahead of ${file} by ${beyond.length} migration(s), the first is ${beyond[0]}: use a new, empty database`,
      );
    }
  });
