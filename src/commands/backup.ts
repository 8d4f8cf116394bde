import { defineCommand } from '#core/command.ts';

const take = defineCommand()({
  path: 'backup',
  summary: 'Back up the database to a file, without downtime',
  arguments: ['file'],
  options: {},
  examples: [
    'frontdesk backup /srv/backups/frontdesk.backup',
    'frontdesk backup frontdesk.backup --json',
  ],
  context: 'none',
  async run(_, { file }, switches) {
    const { runBackup } = await import('./run-backup.ts');
    return runBackup(file, switches);
  },
});

const verify = defineCommand()({
  path: 'backup verify',
  summary: 'Verify a backup file; needs no database',
  arguments: ['file'],
  options: {},
  examples: ['frontdesk backup verify /srv/backups/frontdesk.backup'],
  context: 'none',
  async run(_, { file }) {
    const { runVerify } = await import('./run-backup.ts');
    return runVerify(file);
  },
});

export const backupCommands = [take, verify];
