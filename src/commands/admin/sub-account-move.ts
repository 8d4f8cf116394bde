import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { AdminContext } from '../context.ts';

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin sub-account export',
  summary: 'Export a sub-account with all its data to a file, without downtime',
  arguments: ['sub', 'file'],
  options: {},
  examples: [
    'frontdesk admin sub-account export 0198c0de-… harbour.frontdesk',
    'frontdesk admin sub-account export 0198c0de-… harbour.frontdesk --json',
  ],
  context: 'service',
  async run(context, { sub, file }, switches) {
    const { exportSubAccount } = await import('../export-sub-account.ts');
    return exportSubAccount(context, { sub, file }, switches);
  },
});

const importCommand = defineCommand<AdminContext>()({
  path: 'admin sub-account import',
  summary: 'Import a sub-account from a file in one transaction, without downtime for others',
  arguments: ['file'],
  options: {
    dryRun: { flag: '--dry-run', help: 'run the import, report the result and roll it back' },
    hold: {
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
  confirm: ({ replace, dryRun, file }) =>
    replace && !dryRun ? `Replace the sub-account in ${file}?` : undefined,
  async question({ openView, clock }, { file }) {
    const { subAccountIn } = await import('../import-sub-account.ts');
    const { id } = await subAccountIn(file);
    const { findSubAccount } = await import('../../accounts/sub-accounts/find-sub-accounts.ts');
    const there = await findSubAccount(openView(AGENCY, clock()), id);
    return {
      text: there
        ? `Replace all data of sub-account ${there.name} by ${file}?`
        : `Import the sub-account in ${file}? There is none with its ID here.`,
    };
  },
  context: 'service',
  async run(context, { file, ...given }, switches) {
    if (given.hold && given.sendOverdue) {
      throw new UsageFault('--hold and --send-overdue say opposite things; give one of them');
    }
    const { importSubAccount } = await import('../import-sub-account.ts');
    return importSubAccount(context, file, given, switches);
  },
});

const purge = defineCommand<AdminContext>()({
  path: 'admin sub-account purge',
  summary: 'Erase a deleted sub-account and all its data permanently',
  arguments: ['sub'],
  options: {},
  examples: ['frontdesk admin sub-account purge 0198c0de-… --yes'],
  confirm: ({ sub }) => `Erase sub-account ${sub}?`,
  async question(context, { sub }) {
    const { closedSubAccount } = await import('../purge-closed.ts');
    const { name } = await closedSubAccount(context, sub);
    return {
      text: `To erase all data of sub-account ${name}, type its name:`,
      typed: name,
    };
  },
  context: 'service',
  async run(context, { sub }) {
    const { purgeClosed } = await import('../purge-closed.ts');
    return purgeClosed(context, sub);
  },
});

export const subAccountMoveCommands = [exportCommand, importCommand, purge];
