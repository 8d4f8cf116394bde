import { defineCommand } from '#kit/command.ts';

const take = defineCommand()({
  path: 'backup',
  summary: 'Write everything that the database holds to a file, while everybody goes on working',
  arguments: ['file'],
  options: {},
  examples: [
    'frontdesk backup /srv/backups/frontdesk.backup',
    'frontdesk backup frontdesk.backup --json',
  ],
  context: 'none',
  async run(_, { file }) {
    const { runBackup } = await import('./run-backup.ts');
    return runBackup(file);
  },
});

const verify = defineCommand()({
  path: 'backup verify',
  summary: 'Read a backup to its end and check it; no database is needed',
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
