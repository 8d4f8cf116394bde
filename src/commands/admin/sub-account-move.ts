import { defineCommand } from '#kit/command.ts';
import { UsageFault } from '#kit/fault.ts';
import type { AdminContext } from '../context.ts';

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin sub-account export',
  summary:
    'Write everything that belongs to a sub-account to a file, while everybody goes on working',
  arguments: ['sub', 'file'],
  options: {},
  examples: [
    'frontdesk admin sub-account export 0198c0de-… harbour.frontdesk',
    'frontdesk admin sub-account export 0198c0de-… harbour.frontdesk --json',
  ],
  context: 'service',
  async run(context, { sub, file }) {
    const { exportSubAccount } = await import('../export-sub-account.ts');
    return exportSubAccount(context, sub, file);
  },
});

const importCommand = defineCommand<AdminContext>()({
  path: 'admin sub-account import',
  summary:
    'Bring in the sub-account of a file, all of it or nothing, while the others go on working',
  arguments: ['file'],
  options: {
    dryRun: { flag: '--dry-run', help: 'do all of it, say what came of it, and take it back' },
    hold: {
      flag: '--hold',
      help: 'hold all workers of this installation from now until frontdesk admin release',
    },
    sendOverdue: {
      flag: '--send-overdue',
      help: 'let happen at once what came due before, here too if it happened there already',
    },
    withoutSecrets: {
      flag: '--without-secrets',
      help: 'leave out what is encrypted: credentials of providers, signing secrets',
    },
    reopen: { flag: '--reopen', help: 'open it again if it was closed before it was exported' },
    replace: { flag: '--replace', help: 'replace the sub-account of that id, if there is one' },
  },
  examples: [
    'frontdesk admin sub-account import harbour.frontdesk --dry-run',
    'frontdesk admin sub-account import harbour.frontdesk --reopen --hold',
    'frontdesk admin sub-account import harbour.frontdesk --replace --send-overdue --yes',
  ],
  confirm: ({ replace, dryRun, file }) =>
    replace && !dryRun
      ? `Replace everything of the sub-account that ${file} holds, if it is here?`
      : undefined,
  context: 'service',
  async run(context, { file, ...given }) {
    if (given.hold && given.sendOverdue) {
      throw new UsageFault('--hold and --send-overdue say opposite things; give one of them');
    }
    const { importSubAccount } = await import('../import-sub-account.ts');
    return importSubAccount(context, file, given);
  },
});

const purge = defineCommand<AdminContext>()({
  path: 'admin sub-account purge',
  summary: 'Remove a closed sub-account with everything that belongs to it, for good',
  arguments: ['sub'],
  options: {},
  examples: ['frontdesk admin sub-account purge 0198c0de-… --yes'],
  confirm: ({ sub }) =>
    `Remove the sub-account ${sub} with everything that belongs to it, for good?`,
  context: 'service',
  async run(context, { sub }) {
    const { purgeClosed } = await import('../purge-closed.ts');
    return purgeClosed(context, sub);
  },
});

export const subAccountMoveCommands = [exportCommand, importCommand, purge];
