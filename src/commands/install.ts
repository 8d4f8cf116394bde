import { defineCommand } from '#kit/command.ts';

const options = {
  dryRun: { flag: '--dry-run', help: 'say what would be done, and do nothing' },
  root: {
    flag: '--root <dir>',
    help: 'work on the files below this folder, as packages do; makes no user, starts nothing',
  },
} as const;

export const install = defineCommand()({
  path: 'install',
  summary: 'Make services of this checkout, and put command, man page and completions in place',
  options,
  examples: ['sudo bin/frontdesk install', 'bin/frontdesk install --dry-run'],
  context: 'none',
  async run(_, { dryRun = false, root = '/' }) {
    const { runInstall } = await import('./run-install.ts');
    return runInstall({ dryRun, root });
  },
});

export const uninstall = defineCommand()({
  path: 'uninstall',
  summary: 'Take away what install put in place; settings, key and data stay',
  options,
  examples: ['sudo bin/frontdesk uninstall', 'bin/frontdesk uninstall --dry-run'],
  confirm: ({ dryRun }) =>
    dryRun ? undefined : 'Stop Frontdesk and remove its units, command, man page and completions?',
  context: 'none',
  async run(_, { dryRun = false, root = '/' }) {
    const { runUninstall } = await import('./run-install.ts');
    return runUninstall({ dryRun, root });
  },
});
