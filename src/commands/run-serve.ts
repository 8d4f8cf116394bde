import type { Outcome } from '#core/command.ts';
import { endWhenOutdated } from './server/end-when-outdated.ts';
import { keepWatch } from './server/keep-watch.ts';
import { openCheckedService } from './server/open-checked-service.ts';
import { stay } from './server/stay.ts';

const CONNECTIONS = 16;

interface ServeInput {
  readonly host: string | undefined;
  readonly port: number | undefined;
}

export const runServe = (given: ServeInput): Promise<Outcome> =>
  stay(['databaseUrl', 'secretKey'], async ({ environment, log, lifecycle }) => {
    const opening = openCheckedService({
      environment,
      log,
      name: 'frontdesk serve',
      connections: CONNECTIONS,
      stays: true,
    });
    // The database answers while the modules of the server load.
    const [service, { startServer }] = await Promise.all([
      opening,
      import('./server/start-server.ts'),
    ]);
    lifecycle.onStop('database', () => service.close());
    const { host = environment.host, port = environment.port } = given;
    const { url } = await startServer(service, environment, { host, port }, lifecycle);
    endWhenOutdated(service, lifecycle);
    keepWatch(service, { kind: 'serve', status: () => `serving at ${url}` }, lifecycle);
    return { json: { url }, text: `Frontdesk serves at ${url}` };
  });
