import { defineCommand, type Command } from '#core/command.ts';

const dryRun = { flag: '--dry-run', help: 'show what would be done, and do nothing' } as const;
const root = (help: string) => ({ flag: '--root <dir>', help }) as const;

/** Installs, among others, the completion of all commands. */
export const installOf = (all: () => Promise<readonly Command[]>): Command =>
  defineCommand()({
    path: 'install',
    summary: 'Install systemd services, command, man page and completions for this checkout',
    options: {
      dryRun,
      root: root('install below this folder; creates no user and starts nothing'),
    },
    examples: ['sudo bin/frontdesk install', 'bin/frontdesk install --dry-run'],
    context: 'none',
    async run(_, given) {
      const { runInstall } = await import('./run-install.ts');
      return runInstall({ dryRun: given.dryRun ?? false, root: given.root ?? '/' }, all);
    },
  });

export const uninstall = defineCommand()({
  path: 'uninstall',
  summary: 'Remove what `install` set up; settings, key and data stay',
  options: { dryRun, root: root('remove from below this folder; stops nothing') },
  examples: ['sudo bin/frontdesk uninstall', 'bin/frontdesk uninstall --dry-run'],
  confirm: (given) =>
    given.dryRun
      ? undefined
      : 'Stop Frontdesk and remove its units, command, man page and completions?',
  context: 'none',
  async run(_, given) {
    const { runUninstall } = await import('./run-install.ts');
    return runUninstall({ dryRun: given.dryRun ?? false, root: given.root ?? '/' });
  },
});
