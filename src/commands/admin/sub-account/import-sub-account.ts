import type { Outcome, Switches } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Ask } from '../../../backup/catalogue.ts';
import {
  checkBackup,
  isItsKey,
  nameOf,
  requireOneSubAccount,
  requireSameSchema,
} from '../../../backup/check-backup.ts';
import type { Header, SubAccountHead } from '../../../backup/format.ts';
import {
  loadSubAccount,
  type LoadedSubAccount,
} from '../../../backup/sub-account/load-sub-account.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { writeOfAudit } from '#platform/database/work/event-and-audit-rows.ts';
import { migrations } from '#registry/migrations.ts';
import { jobHandlers } from '#registry/job-handlers.ts';
import { sealed } from '#registry/sealed.ts';
import {
  describeOverdue,
  findOverdue,
  isNothing,
  type Overdue,
} from '../../../operations/moving/find-overdue.ts';
import { findSharedSlugs } from '../../../operations/moving/find-shared-slugs.ts';
import type { AdminContext } from '../../open-admin.ts';
import { sumOf } from '../../backup.ts';

interface ImportSubAccountInput {
  readonly dryRun?: boolean | undefined;
  readonly hold?: boolean | undefined;
  readonly sendOverdue?: boolean | undefined;
  readonly withoutSecrets?: boolean | undefined;
  readonly reopen?: boolean | undefined;
  readonly replace?: boolean | undefined;
}

/** Reads which sub-account a file holds. Throws a Fault where it is not such a file. */
export async function subAccountIn(file: string): Promise<SubAccountHead> {
  const { header } = await checkBackup(file);
  return requireOneSubAccount(file, header);
}

/** Whatever can be refused is refused before anything is written. */
export async function importSubAccount(
  { actor, clock, secrets }: AdminContext,
  file: string,
  wanted: ImportSubAccountInput,
  switches: Switches,
): Promise<Outcome> {
  const environment = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const { header, trailer } = await checkBackup(file);
  const head = requireOneSubAccount(file, header);
  const names = migrations.map(({ name }) => name);
  requireSameSchema(file, header, names);
  requireKeyOrNone(file, header, secrets, wanted);
  const bar = openProgressBar(switches);
  const { id } = head;
  const loaded = await loadSubAccount({
    url,
    file,
    subAccountId: id,
    replace: wanted.replace ?? false,
    dryRun: wanted.dryRun ?? false,
    hold: wanted.hold ? `the sub-account ${nameOf(head)} (${id}) was brought in` : undefined,
    prepare: (ask) => prepare(ask, secrets, { file, id }, wanted),
    audit: writeOfAudit({ subAccountId: id, now: clock(), actor }, id),
    onRead: (share) => bar.update(Math.round(sumOf(trailer.rows) * share), share),
  }).finally(bar.clear);
  return outcomeOf(file, header, head, loaded, wanted);
}

function requireKeyOrNone(
  file: string,
  header: Header,
  secrets: Secrets,
  { withoutSecrets }: ImportSubAccountInput,
): void {
  if (!withoutSecrets && !isItsKey(header, secrets)) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} comes from an installation with another FRONTDESK_SECRET_KEY, which alone opens what it holds encrypted; --without-secrets leaves that out and says what it was`,
    );
  }
}

interface Prepared {
  readonly overdue: Overdue;
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
}

async function prepare(
  rows: Ask,
  secrets: Secrets,
  { file, id }: { readonly file: string; readonly id: string },
  wanted: ImportSubAccountInput,
): Promise<Prepared> {
  const overdue = await findOverdue({ rows });
  if (!isNothing(overdue) && !wanted.hold && !wanted.sendOverdue && !wanted.dryRun) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${describeOverdue(overdue)} came due before and would happen at once; --hold holds the workers of this installation until frontdesk admin release, --send-overdue lets it happen; nothing was written`,
    );
  }
  await requireKnownJobs(rows, file);
  const leftOut: string[] = [];
  for (const { leaveOut } of wanted.withoutSecrets ? sealed : []) {
    leftOut.push(...(await leaveOut({ rows, secrets })));
  }
  if (wanted.reopen) {
    await rows('update incoming_sub_accounts set deleted_at = null');
  }
  return { overdue, leftOut, warnings: await findSharedSlugs({ rows }, id) };
}

/** What no sub-account has done for it would run for the installation, or wait for ever. */
async function requireKnownJobs(rows: Ask, file: string): Promise<void> {
  const known = jobHandlers
    .filter(({ job }) => 'subAccountId' in job.payload.properties)
    .map(({ job }) => job.name);
  const [odd] = await rows<{ task: string }>(
    'select task from staged_jobs where task <> all ($1) limit 1',
    [known],
  );
  if (odd) {
    throw new Fault('VALIDATION_ERROR', `${file} has a job that no sub-account has: ${odd.task}`);
  }
}

function outcomeOf(
  file: string,
  { takenAt, product }: Header,
  head: SubAccountHead,
  { rows, replaced, prepared }: LoadedSubAccount<Prepared>,
  { dryRun = false, hold = false, reopen = false }: ImportSubAccountInput,
): Outcome {
  const { id, name, deletedAt } = head;
  const { overdue, leftOut, warnings } = prepared;
  const isClosed = deletedAt !== null && !reopen;
  const held = hold && !dryRun;
  const lines = [
    `${dryRun ? 'would bring in' : 'brought in'} ${nameOf(head)} (${id}): ${sumOf(rows)} rows as of ${takenAt}${replaced ? ', in the place of what was here' : ''}`,
    ...(isClosed ? ['It was closed before it was exported and stays so; --reopen opens it.'] : []),
    ...(isNothing(overdue) ? [] : [`Came due before: ${describeOverdue(overdue)}.`]),
    ...leftOut.map((what) => `left out: ${what}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(held ? [HELD] : []),
    ...(dryRun ? ['This was a dry run: nothing was written.'] : []),
  ];
  return {
    json: {
      file,
      subAccountId: id,
      name,
      product,
      takenAt,
      rows,
      replaced,
      closed: isClosed,
      dryRun,
      held,
      overdue,
      leftOut,
      warnings,
    },
    text: lines.join('\n'),
  };
}

const HELD = `Workers are held, for every sub-account here. Look around, then run
  frontdesk admin release`;
