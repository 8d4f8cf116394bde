import { writeCsvOut, writeCsvFile } from '#platform/files/csv.ts';
import { defineCommand, type Switches } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { readContact } from '../../../contacts/contact.store.ts';
import { contactQuery, findContacts } from '../../../contacts/find-contacts.ts';
import { joining } from '../../../campaigns/lists/add-to-list.ts';
import { copyContacts, DRY_RUN } from '../../../contacts/import/dry-run-import.ts';
import { exportContacts } from '../../../contacts/import/export-contacts.ts';
import { importContacts, type ImportResult } from '../../../contacts/import/import-contacts.ts';
import type { AdminContext } from '../../open-admin.ts';
import {
  given,
  LIMIT_DEFAULT,
  limitOption,
  liveSubAccount,
  readEmail,
  subAccountOption,
  valueOf,
  viewOf,
  viewOfOwner,
} from '../answers.ts';
import { openDryRun } from '../../server/open-dry-run.ts';
import { setFlagsFromString } from 'node:v8';

const ERRORS_SHOWN = 20;
const STDOUT = '-';

interface ContactRow {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly lifecycleStage: string;
  readonly tags: readonly string[];
  readonly createdAt: string;
}

const list = defineCommand<AdminContext>()({
  path: 'admin contact list',
  summary: 'List contacts, newest first',
  options: {
    subAccount: subAccountOption,
    search: { flag: '--search <text>', help: 'only contacts whose name, email or company has it' },
    email: {
      flag: '--email <address>',
      help: 'only the contact with this email',
      parse: readEmail,
    },
    phone: {
      flag: '--phone <phone>',
      help: 'only contacts with this phone, in E.164 format, main or additional',
    },
    limit: limitOption(),
  },
  examples: [
    'frontdesk admin contact list --sub-account 0198c0de-…',
    'frontdesk admin contact list --sub-account 0198c0de-… --search weber',
    'frontdesk admin contact list --sub-account 0198c0de-… --email jo@example.com --json',
    'frontdesk admin contact list --sub-account 0198c0de-… --phone +493012345678',
  ],
  context: 'service',
  async run(context, { subAccount: sub, limit = LIMIT_DEFAULT, ...filters }) {
    const view = await viewOf(context, sub);
    const query = check(contactQuery, given(filters), 'query');
    const { data } = await findContacts({ view, query: { ...query, limit }, after: undefined });
    const rows: ContactRow[] = valueOf(data);
    const table = rows.map(({ id, firstName, lastName, email: address, phone, ...row }) => {
      const name = `${firstName} ${lastName}`.trim();
      const { lifecycleStage, tags, createdAt } = row;
      return { id, name, email: address, phone, lifecycleStage, tags, createdAt };
    });
    return { json: rows, table, limit };
  },
});

const show = defineCommand<AdminContext>()({
  path: 'admin contact show',
  summary: 'Show a contact',
  arguments: ['id'],
  options: { subAccount: { ...subAccountOption, required: false } },
  examples: [
    'frontdesk admin contact show 0198c0de-…',
    'frontdesk admin contact show 0198c0de-… --sub-account 0198c0de-… --json',
  ],
  context: 'service',
  async run(context, { id, subAccount: sub }) {
    const contact = { table: 'contacts', noun: 'contact', id, subAccount: sub } as const;
    const view = await viewOfOwner(context, contact);
    return { json: valueOf(await readContact(view, id.toLowerCase())) };
  },
});

const importCommand = defineCommand<AdminContext>()({
  path: 'admin contact import',
  summary: 'Create and update contacts from a CSV file, matched by email; safe to run again',
  arguments: ['file.csv'],
  options: {
    subAccount: subAccountOption,
    list: { flag: '--list <key>', help: 'key of a static list to add the contacts to' },
    dryRun: { flag: '--dry-run', help: 'report the result without writing anything' },
  },
  examples: [
    'frontdesk admin contact import contacts.csv --sub-account 0198c0de-… --dry-run',
    'frontdesk admin contact import contacts.csv --sub-account 0198c0de-…',
  ],
  context: 'service',
  async run(context, { 'file.csv': path, subAccount: sub, list, dryRun = false }, switches) {
    const { id } = await liveSubAccount(context, sub);
    const result = await runImport(context, { subAccountId: id, path, dryRun, list }, switches);
    return { json: result, text: summaryOf(result, dryRun) };
  },
});

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin contact export',
  summary: 'Export all contacts to a CSV file that can be imported; - is standard output',
  arguments: ['file.csv'],
  options: { subAccount: subAccountOption },
  examples: [
    'frontdesk admin contact export contacts.csv --sub-account 0198c0de-…',
    'frontdesk admin contact export - --sub-account 0198c0de-… | gzip > contacts.csv.gz',
  ],
  context: 'service',
  async run(context, { 'file.csv': path, subAccount: sub }, switches) {
    if (path === STDOUT && switches.json) {
      throw new UsageFault('--json and - both write to standard output; name a file');
    }
    const { id } = await liveSubAccount(context, sub);
    const contacts = await runExport(context, id, path === STDOUT ? undefined : path, switches);
    const text = path === STDOUT ? '' : `wrote ${contacts} contact(s) to ${path}`;
    return { json: { file: path, contacts }, text };
  },
});

function summaryOf(result: ImportResult, dryRun: boolean): string {
  const { created, updated, skipped, failed, errors } = result;
  const shown = errors
    .slice(0, ERRORS_SHOWN)
    .map(({ line, message }) => `  line ${line}: ${message}`);
  const more = failed - shown.length;
  return [
    `${created} created, ${updated} updated, ${skipped} unchanged, ${failed} failed${dryRun ? ' (dry run: nothing was written)' : ''}`,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more; --json lists them`] : []),
  ].join('\n');
}

export const contactCommands = [list, show, importCommand, exportCommand];

interface ImportInput {
  readonly subAccountId: string;
  readonly path: string;
  readonly dryRun: boolean;
  /** The key of a static list to add the contacts to. */
  readonly list?: string | undefined;
}

async function runImport(
  context: AdminContext,
  { subAccountId, path, dryRun, list }: ImportInput,
  switches: Switches,
): Promise<ImportResult> {
  const { actor, openView, clock } = context;
  keepHeapSmall();
  const bar = openProgressBar(switches);
  const view = openView(subAccountId, clock());
  const onContacts = list === undefined ? undefined : await joining(view, list);
  const deps = { actor, view, onProgress: bar.update };
  const dryRunService = dryRun ? openDryRun(context, DRY_RUN) : undefined;
  try {
    return await importContacts(
      dryRunService
        ? { ...deps, transact: dryRunService.transact, prepare: copyContacts }
        : { ...deps, transact: context.transact, ...(onContacts && { onContacts }) },
      path,
    );
  } finally {
    bar.clear();
    await dryRunService?.close();
  }
}

/** Writes the contacts to a file, or to standard output without one. Returns their number. */
async function runExport(
  { openView, clock }: AdminContext,
  subAccountId: string,
  path: string | undefined,
  switches: Switches,
): Promise<number> {
  const view = openView(subAccountId, clock());
  const [found] = await view.rows<{ all: number }>(COUNT, [subAccountId]);
  const all = Math.max(1, found?.all ?? 1);
  // On a terminal, the contacts themselves show the progress.
  const bar = openProgressBar(
    { json: switches.json || (!path && process.stdout.isTTY) },
    'contacts',
  );
  let lines = 0;
  async function* counted() {
    for await (const cells of exportContacts(view)) {
      yield cells;
      bar.update(lines, Math.min(1, lines / all));
      lines += 1;
    }
  }
  const written = path === undefined ? writeCsvOut(counted()) : writeCsvFile(counted(), path);
  await written.finally(bar.clear);
  return lines - 1;
}

const COUNT = `select count(*)::int as all from contacts
  where sub_account_id = $1 and deleted_at is null`;

/**
 * Makes V8 collect garbage sooner instead of growing its heap, for a process that streams much data.
 * Measured on an import of 100,000 rows: at most 170 MB instead of 330 MB, for one more second.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
