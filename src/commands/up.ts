import { defineCommand } from '#kit/command.ts';
import { portOption } from './serve.ts';

export const up = defineCommand()({
  path: 'up',
  summary: 'Run everything in one: PostgreSQL, migrations, server and worker',
  options: {
    port: portOption,
    data: {
      flag: '--data <dir>',
      help: 'where the database and the secret key lie (data in the checkout)',
    },
    demo: {
      flag: '--demo',
      help: 'set up the sub-account of config/demo.yaml and print a fresh key for it',
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
