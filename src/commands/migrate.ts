import { defineCommand } from '#core/command.ts';

export const migrate = defineCommand()({
  path: 'migrate',
  summary: 'Apply pending database migrations',
  options: {
    dryRun: { flag: '--dry-run', help: 'say what would be applied, and apply nothing' },
    check: { flag: '--check', help: 'apply nothing; exit 1 if any migration is pending' },
  },
  examples: ['frontdesk migrate', 'frontdesk migrate --check --json'],
  context: 'none',
  async run(_, { dryRun, check }) {
    const { runMigrate } = await import('./run-migrate.ts');
    return runMigrate({ apply: !dryRun && !check, isCheck: check === true });
  },
});
