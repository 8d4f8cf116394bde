import { defineCommand, type Outcome, type Switches } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import { printable } from '#platform/cli/printable.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { writeOfAudit } from '#platform/database/work/deferred-writes.ts';
import {
  findSubAccount,
  type SubAccountRow,
} from '../../../accounts/sub-accounts/sub-account.store.ts';
import { notClosed, purgeSubAccount } from '../../../backup/sub-account/purge-sub-account.ts';
import { streamBackup, writeBackup } from '../../../backup/write-backup.ts';
import { filesOf, filesText, PIPE, requireFile, requirePipe, sumOf } from '../../backup.ts';
import { withInputFile } from './input-file.ts';
import { subAccountIn, importSubAccount } from './import-sub-account.ts';
import { installationPlace } from '../../installation-place.ts';
import type { AdminContext } from '../../open-admin.ts';
import { version } from '#platform/process/version.ts';
import { existing } from '../answers.ts';

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin sub-account export',
  summary:
    'Export a sub-account with all its data to a file, or with - to standard output, without downtime',
  arguments: ['sub', 'file'],
  examples: [
    'frontdesk admin sub-account export 0198c0de-… harbour.frontdesk',
    'frontdesk admin sub-account export 0198c0de-… harbour.frontdesk --json',
    'frontdesk admin sub-account export 0198c0de-… - | ssh new.example frontdesk admin sub-account import -',
  ],
  context: 'service',
  anyKey: true,
  async run(context, { sub, file }, switches) {
    return exportSubAccount(context, { sub, file }, switches);
  },
});

const importCommand = defineCommand<AdminContext>()({
  path: 'admin sub-account import',
  summary:
    'Import a sub-account from a file, or a pipe with -, in one transaction, without downtime for others',
  arguments: ['file'],
  options: {
    dryRun: { flag: '--dry-run', help: 'run the import, report the result and roll it back' },
    pause: {
      flag: '--hold',
      help: 'pause all workers of this installation until frontdesk admin release',
    },
    sendOverdue: {
      flag: '--send-overdue',
      help: 'send what is overdue, even if the old installation has already sent it',
    },
    withoutSecrets: {
      flag: '--without-secrets',
      help: 'leave out provider credentials and signing secrets',
    },
    reopen: {
      flag: '--reopen',
      help: 'make the sub-account live if it was deleted before the export',
    },
    replace: { flag: '--replace', help: 'replace an existing sub-account with that ID' },
  },
  examples: [
    'frontdesk admin sub-account import harbour.frontdesk --dry-run',
    'frontdesk admin sub-account import harbour.frontdesk --reopen --hold',
    'frontdesk admin sub-account import harbour.frontdesk --replace --send-overdue --yes',
  ],
  confirmWhen: 'with `--replace`',
  confirm: ({ replace, dryRun, file }) =>
    replace && !dryRun ? `Replace the sub-account in ${file}?` : undefined,
  async question({ openView, clock }, { file }) {
    const { text: place } = installationPlace();
    if (file === PIPE) {
      return { text: `Replace the sub-account that standard input contains, in ${place}?` };
    }
    const { id } = await subAccountIn(file);
    const current = await findSubAccount(openView(AGENCY, clock()), id);
    return {
      text: current
        ? `Replace all data of sub-account ${current.name} of ${place} with ${file}?`
        : `Import the sub-account in ${file} into ${place}? No sub-account there has its ID.`,
    };
  },
  context: 'service',
  async run(context, { file, ...given }, switches) {
    if (given.pause && given.sendOverdue) {
      throw new UsageFault('--hold and --send-overdue exclude each other');
    }
    return withInputFile(file, (input) => importSubAccount(context, input, given, switches));
  },
});

const purge = defineCommand<AdminContext>()({
  path: 'admin sub-account purge',
  summary: 'Erase a deleted sub-account and all its data permanently',
  arguments: ['sub'],
  examples: ['frontdesk admin sub-account purge 0198c0de-… --yes'],
  confirm: ({ sub }) => `Erase sub-account ${sub}?`,
  async question(context, { sub }) {
    const { name } = await closedSubAccount(context, sub);
    return {
      text: `To erase all data of sub-account ${name} of ${installationPlace().text}, type its name:`,
      typed: name,
    };
  },
  context: 'service',
  async run(context, { sub }) {
    return purgeClosed(context, sub);
  },
});

export const subAccountMoveCommands = [exportCommand, importCommand, purge];

/** Writes one sub-account, also a closed one, to a file. */
async function exportSubAccount(
  { openView, clock, transact, actor, secrets }: AdminContext,
  { sub, file }: { readonly sub: string; readonly file: string },
  switches: Switches,
): Promise<Outcome> {
  const isPipe = file === PIPE;
  if (isPipe) {
    requirePipe(switches);
  } else {
    requireFile(file);
  }
  const found = await findSubAccount(openView(AGENCY, clock()), sub);
  const { id, name } = existing(found, 'sub-account', sub);
  const environment = processEnvironment(['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const bar = openProgressBar(switches);
  const contents = filesOf(environment);
  const base = { url, product: version(), files: contents, secrets, onProgress: bar.update };
  const input = { ...base, subAccountId: id };
  const written = await (
    isPipe ? streamBackup(input, process.stdout) : writeBackup({ ...input, file })
  ).finally(bar.clear);
  await transact(id, actor, async (work) => work.audit(id));
  const { bytes, takenAt, rows, files, keyMatches } = written;
  const aboutKey = keyMatches
    ? 'The file does not contain the FRONTDESK_SECRET_KEY of this installation, which decrypts its credentials.'
    : 'FRONTDESK_SECRET_KEY is not set, or is not the key of this database. If its key is lost, import the file with --without-secrets.';
  const text = `wrote ${name} to ${isPipe ? 'standard output' : file}: ${sumOf(rows)} rows of ${Object.keys(rows).length} tables${filesText(files)} as of ${takenAt}, ${bytes} bytes
${aboutKey}`;
  const json = { subAccountId: id, name, ...written };
  if (isPipe) {
    process.stderr.write(`${printable(text)}\n`);
    return { json, isWritten: true };
  }
  return { json, text };
}

/** Returns a deleted sub-account. Throws a Fault if it is live or does not exist. */
async function closedSubAccount(
  { openView, clock }: AdminContext,
  sub: string,
): Promise<SubAccountRow> {
  const row = existing(await findSubAccount(openView(AGENCY, clock()), sub), 'sub-account', sub);
  if (!row.deletedAt) {
    throw notClosed(row.id);
  }
  return row;
}

/** Erases a deleted sub-account; the agency's audit log records it. */
async function purgeClosed(context: AdminContext, sub: string): Promise<Outcome> {
  const { clock, actor } = context;
  const environment = processEnvironment(['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const row = await closedSubAccount(context, sub);
  const audit = writeOfAudit({ subAccountId: AGENCY, now: clock(), actor }, row.id);
  await purgeSubAccount(url, row.id, audit);
  return {
    json: { ...row, purged: true },
    text: `erased ${row.name} (${row.id}) and all its data`,
  };
}
