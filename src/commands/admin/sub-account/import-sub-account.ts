import type { Outcome, Switches } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Ask } from '../../../backup/session.ts';
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
import { nameOfSource, type SourceFile } from '#platform/files/source-file.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { writeOfAudit } from '#platform/database/work/deferred-writes.ts';
import { migrations } from '#registry/migrations.ts';
import { jobHandlers } from '#registry/job-handlers.ts';
import { sealed } from '#registry/sealed.ts';
import {
  describeOverdue,
  findOverdue,
  isNothing,
  type Overdue,
  findSharedSlugs,
} from '../../../operations/moving/check-incoming.ts';
import type { AdminContext } from '../../open-admin.ts';
import { restoreFiles } from '../../../backup/files.ts';
import { filesOf, PIPE, sumOf } from '../../backup.ts';
import { STANDARD_INPUT } from './input-file.ts';

type Flag = 'dryRun' | 'pause' | 'sendOverdue' | 'withoutSecrets' | 'reopen' | 'replace';

type ImportSubAccountInput = { readonly [name in Flag]?: boolean | undefined };

/** Returns the sub-account in a file. Throws a Fault for other files. */
export async function subAccountIn(file: string): Promise<SubAccountHead> {
  const { header } = await checkBackup(file);
  return requireOneSubAccount(file, header);
}

/** Imports a sub-account; all checks run before anything is written. */
export async function importSubAccount(
  { actor, clock, secrets }: AdminContext,
  source: SourceFile,
  input: ImportSubAccountInput,
  switches: Switches,
): Promise<Outcome> {
  const environment = processEnvironment(['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const file = nameOfSource(source);
  const { header, trailer } = await checkBackup(source);
  const head = requireOneSubAccount(file, header);
  const names = migrations.map(({ name }) => name);
  requireSameSchema(file, header, names);
  requireKeyOrNone(file, header, secrets, input);
  const bar = openProgressBar(switches);
  const { id } = head;
  if (!input.dryRun) {
    const files = filesOf(environment);
    await restoreFiles({ url, file: source, files, subAccountId: id });
  }
  const loaded = await loadSubAccount({
    url,
    file: source,
    subAccountId: id,
    replace: input.replace ?? false,
    dryRun: input.dryRun ?? false,
    pauseReason: input.pause
      ? `the sub-account ${nameOf(head)} (${id}) comes from an import`
      : undefined,
    prepare: (ask) => prepare(ask, secrets, { file, id }, input),
    audit: writeOfAudit({ subAccountId: id, now: clock(), actor }, id),
    onRead: (share) => bar.update(Math.round(sumOf(trailer.rows) * share), share),
  }).finally(bar.clear);
  return outcomeOf(file, header, head, loaded, input);
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
      `${file} comes from an installation with another FRONTDESK_SECRET_KEY, so its encrypted values are unreadable here; pass --without-secrets to leave them out and list them`,
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
  input: ImportSubAccountInput,
): Promise<Prepared> {
  const overdue = await findOverdue({ rows });
  if (!isNothing(overdue) && !input.pause && !input.sendOverdue && !input.dryRun) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${describeOverdue(overdue)} came due before and would be processed at once; nothing was written. Pass --hold to pause the workers of this installation until frontdesk admin release, or --send-overdue to process them`,
    );
  }
  await requireKnownJobs(rows, file);
  await dropForeignKeys(rows);
  const leftOut: string[] = [];
  for (const { leaveOut } of input.withoutSecrets ? sealed : []) {
    leftOut.push(...(await leaveOut({ rows, secrets })));
  }
  if (input.reopen) {
    await rows('update incoming_sub_accounts set deleted_at = null');
  }
  return { overdue, leftOut, warnings: await findSharedSlugs({ rows }, id) };
}

/** Other jobs would run for the whole installation, or wait forever. */
async function requireKnownJobs(rows: Ask, file: string): Promise<void> {
  const known = jobHandlers
    .filter(({ job }) => 'subAccountId' in job.payload.properties)
    .map(({ job }) => job.name);
  const [odd] = await rows<{ task: string }>(
    'select task from staged_jobs where task <> all ($1) limit 1',
    [known],
  );
  if (odd) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} contains a job that does not belong to sub-accounts: ${odd.task}`,
    );
  }
}

/**
 * Drops keys that do not come from the job's own payload. They could keep jobs of the installation or of
 * other sub-accounts from being queued.
 */
async function dropForeignKeys(rows: Ask): Promise<void> {
  const keyed = jobHandlers.map(({ job }) => ({ task: job.name, properties: job.keyFrom ?? [] }));
  await rows(DROP_FOREIGN_KEYS, [JSON.stringify(keyed)]);
}

/** The form of `keyOf`. */
const DROP_FOREIGN_KEYS = `update staged_jobs j set key = null
  where j.key is not null and not exists (
    select from json_to_recordset($1::json) as known (task text, properties text[])
    cross join lateral (
      select j.task || string_agg(':' || (j.payload ->> property), '' order by place) as key
      from unnest(known.properties) with ordinality as part (property, place)
    ) as own
    where known.task = j.task and (j.key = own.key or starts_with(j.key, own.key || ':'))
  )`;

function outcomeOf(
  file: string,
  { takenAt, product }: Header,
  head: SubAccountHead,
  { rows, replaced, prepared }: LoadedSubAccount<Prepared>,
  { dryRun = false, pause = false, reopen = false }: ImportSubAccountInput,
): Outcome {
  const { id, name, deletedAt } = head;
  const { overdue, leftOut, warnings } = prepared;
  const isClosed = deletedAt !== null && !reopen;
  const held = pause && !dryRun;
  const lines = [
    `${dryRun ? 'would import' : 'imported'} ${nameOf(head)} (${id}): ${sumOf(rows)} rows as of ${takenAt}${replaced ? ', replacing its data here' : ''}`,
    ...(isClosed
      ? ['It was deleted before the export and stays deleted; pass --reopen to make it live.']
      : []),
    ...(isNothing(overdue) ? [] : [`Came due before: ${describeOverdue(overdue)}.`]),
    ...leftOut.map((what) => `left out: ${what}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(held ? [PAUSED] : []),
    ...(dryRun ? ['This was a dry run: nothing was written.'] : []),
  ];
  return {
    json: {
      file: file === STANDARD_INPUT ? PIPE : file,
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

const PAUSED = `Workers are paused for all sub-accounts of this installation. Check the data, then run
  frontdesk admin release`;
