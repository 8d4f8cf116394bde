import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { readPort } from '#platform/config/environment.ts';

export const portOption = {
  flag: '--port <port>',
  help: 'port to listen on, instead of FRONTDESK_PORT (8080)',
  parse(given: string): number {
    const port = readPort(given);
    if (port === undefined) {
      throw new UsageFault(`${given || 'nothing'} was given; it takes a number from 0 to 65535`);
    }
    return port;
  },
};

export const serve = defineCommand()({
  path: 'serve',
  summary: 'Run the HTTP server',
  options: {
    host: { flag: '--host <host>', help: 'address to listen on, instead of FRONTDESK_HOST' },
    port: portOption,
  },
  examples: ['frontdesk serve', 'frontdesk serve --host 0.0.0.0 --port 80'],
  context: 'none',
  async run(_, given) {
    const { runServe } = await import('./run-serve.ts');
    return runServe(given);
  },
});
