import { requireServable, startServer } from './server/http-server.ts';
import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { readPort } from '#platform/config/environment.ts';
import { openCheckedService } from './server/open-service.ts';
import { endWhenOutdated, keepWatch, stay } from './server/stay.ts';

const CONNECTIONS = 16;

export const portOption = {
  flag: '--port <port>',
  help: 'port to listen on, instead of FRONTDESK_PORT (8080)',
  parse(given: string): number {
    const port = readPort(given);
    if (port === undefined) {
      throw new UsageFault(`${given || 'nothing'} was given; it must be a number from 0 to 65535`);
    }
    return port;
  },
};

export const serve = defineCommand()({
  path: 'serve',
  summary: 'Run the server: HTTP, or HTTPS with FRONTDESK_TLS_CERT and FRONTDESK_TLS_KEY',
  options: {
    host: { flag: '--host <host>', help: 'address to listen on, instead of FRONTDESK_HOST' },
    port: portOption,
  },
  examples: ['frontdesk serve', 'frontdesk serve --host 0.0.0.0 --port 80'],
  context: 'none',
  run: (_, given) =>
    stay(['databaseUrl', 'secretKey'], async ({ environment, log, lifecycle }) => {
      await requireServable(environment);
      const service = await openCheckedService({
        environment,
        log,
        name: 'frontdesk serve',
        connections: CONNECTIONS,
        stays: true,
      });
      lifecycle.onStop('database', () => service.close());
      const { host = environment.host, port = environment.port } = given;
      const { url } = await startServer(service, environment, { host, port }, lifecycle);
      endWhenOutdated(service, lifecycle);
      keepWatch(service, { kind: 'serve', status: () => `serving at ${url}` }, lifecycle);
      return { json: { url }, text: `Frontdesk is serving at ${url}` };
    }),
});
