import { defineCommand } from '#core/command.ts';
import { portOption } from './serve.ts';

export const up = defineCommand()({
  path: 'up',
  summary: 'Run PostgreSQL, migrations, server and worker in one process',
  options: {
    port: portOption,
    data: {
      flag: '--data <dir>',
      help: 'folder of the database and the secret key (default: data in the checkout)',
    },
    demo: {
      flag: '--demo',
      help: 'create a demo sub-account from config/demo.yaml and print a new key for it',
    },
  },
  examples: [
    'frontdesk up',
    'frontdesk up --demo',
    'frontdesk up --port 8090 --data /srv/frontdesk',
  ],
  context: 'none',
  async run(_, { port, data, demo }) {
    const { runUp } = await import('./run-up.ts');
    return runUp({ port, folder: data, demo: demo ?? false });
  },
});
