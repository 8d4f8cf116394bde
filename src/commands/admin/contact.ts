import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import type { ImportResult } from '../../contacts/import/import-contacts.ts';
import type { AdminContext } from '../context.ts';
import { liveSubAccount } from './live-sub-account.ts';

const ERRORS_SHOWN = 20;
const STDOUT = '-';

const subAccount = {
  flag: '--sub-account <sub>',
  help: 'ID of the sub-account',
  required: true,
} as const;

const importCommand = defineCommand<AdminContext>()({
  path: 'admin contact import',
  summary: 'Create and update contacts from a CSV file, matched by email; safe to run again',
  arguments: ['file.csv'],
  options: {
    subAccount,
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
    const { runImport } = await import('../run-import.ts');
    const result = await runImport(context, { subAccountId: id, path, dryRun, list }, switches);
    return { json: result, text: summaryOf(result, dryRun) };
  },
});

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin contact export',
  summary: 'Export all contacts to a CSV file that can be imported; - is standard output',
  arguments: ['file.csv'],
  options: { subAccount },
  examples: [
    'frontdesk admin contact export contacts.csv --sub-account 0198c0de-…',
    'frontdesk admin contact export - --sub-account 0198c0de-… | gzip > contacts.csv.gz',
  ],
  context: 'service',
  async run(context, { 'file.csv': path, subAccount: sub }, { json }) {
    if (path === STDOUT && json) {
      throw new UsageFault('--json and - both write to standard output; name a file');
    }
    const { id } = await liveSubAccount(context, sub);
    const { runExport } = await import('../run-export.ts');
    const contacts = await runExport(context, id, path === STDOUT ? undefined : path);
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

export const contactCommands = [importCommand, exportCommand];
