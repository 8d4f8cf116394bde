import { pino, type Logger } from 'pino';
import { PUBLIC_LIMITS, type PublicRates } from '#core/rate-limit.ts';
import { listen } from '#platform/process/listen.ts';
import { plainRoutes, openHttp, type HttpSettings } from '../../src/commands/server/http-server.ts';
import {
  openService,
  type Service,
  type ServiceOptions,
} from '../../src/commands/server/open-service.ts';
import { testFiles } from './files.ts';

const GENEROUS = { limit: 1_000_000, windowMs: 60_000 };

/** Rates that no test reaches. */
export const GENEROUS_RATES = {
  rates: { read: GENEROUS, write: GENEROUS },
  publicRates: Object.fromEntries(PUBLIC_LIMITS.map((name) => [name, GENEROUS])) as PublicRates,
};

interface ServerInput extends Partial<HttpSettings> {
  readonly databaseUrl: string;
  readonly replicaUrl?: string;
  readonly clock?: () => Date;
  readonly connections?: number;
  readonly log?: Logger;
  /** Connections to other systems, such as an OpenID provider. */
  readonly network?: ServiceOptions;
}

/** Opens another service, like a second server process, on an existing database. */
export async function openServer(wanted: ServerInput) {
  const { databaseUrl, replicaUrl, clock = () => new Date(), ...more } = wanted;
  const silent = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const { connections = 4, log = silent, network = {}, ...settings } = more;
  const service: Service = openService({
    databaseUrl,
    replicaUrl,
    secretKey: Buffer.alloc(32),
    connections,
    name: 'frontdesk test server',
    log,
    clock,
    stays: true,
    files: testFiles(),
    network,
  });
  const http = openHttp(
    service,
    {
      ...GENEROUS_RATES,
      rateStore: 'memory',
      baseUrl: () => listener.url,
      ...settings,
    },
    plainRoutes(service.database, () => listener.url),
  );
  const listener = await listen(http.fetch, { host: '127.0.0.1', port: 0 });
  return {
    ...service,
    url: listener.url,
    async stop() {
      http.endStreams();
      await listener.close(0);
      await http.close();
      await service.close();
    },
  };
}
