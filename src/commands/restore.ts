import { defineCommand } from '#kit/command.ts';

export const restore = defineCommand()({
  path: 'restore',
  summary: 'Put a backup into an empty database; workers then wait for frontdesk admin release',
  arguments: ['file'],
  options: {
    force: { flag: '--force', help: 'replace what the database holds' },
  },
  examples: [
    'frontdesk restore /srv/backups/frontdesk.backup',
    'frontdesk restore frontdesk.backup --force --yes',
  ],
  confirm: ({ force, file }) =>
    force ? `Replace everything that the database holds by ${file}?` : undefined,
  context: 'none',
  async run(_, { file, force }) {
    const { runRestore } = await import('./run-restore.ts');
    return runRestore({ file, force: force ?? false });
  },
});
