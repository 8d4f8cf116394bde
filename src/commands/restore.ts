import { defineCommand } from '#core/command.ts';

export const restore = defineCommand()({
  path: 'restore',
  summary: 'Restore a backup into an empty database; workers stay paused until admin release',
  arguments: ['file'],
  options: {
    force: { flag: '--force', help: 'replace all data in the database' },
  },
  examples: [
    'frontdesk restore /srv/backups/frontdesk.backup',
    'frontdesk restore frontdesk.backup --force --yes',
  ],
  confirm: ({ force, file }) =>
    force ? `Replace all data in the database by the backup ${file}?` : undefined,
  context: 'none',
  async run(_, { file, force }) {
    const { runRestore } = await import('./run-restore.ts');
    return runRestore({ file, force: force ?? false });
  },
});
