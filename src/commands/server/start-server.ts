import { cannotListen, listen, type Address, type Listener } from '#platform/process/listen.ts';
import type { Environment } from '#platform/config/environment.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { openHttp } from './open-http.ts';
import { metricsRoute } from './metrics-route.ts';
import type { Service } from './open-service.ts';
import { plainRoutes } from './plain-routes.ts';

const GRACE_MS = 30_000;

/**
 * Serves the API until the process ends. `url` is where to call it, `baseUrl` what it is called in
 * links and signatures.
 */
export async function startServer(
  service: Service,
  environment: Environment,
  address: Address,
  lifecycle: Lifecycle,
): Promise<{ readonly url: string; readonly baseUrl: string }> {
  const { rateRead: read, rateWrite: write, publicRates, rateStore, trustedProxies } = environment;
  const baseUrl = () => environment.baseUrl ?? localUrl(listener);
  const routes = [
    ...plainRoutes(service.database, baseUrl),
    metricsRoute(service.database, environment.metricsToken),
  ];
  const http = openHttp(
    service,
    { rates: { read, write }, publicRates, rateStore, baseUrl, trustedProxies },
    routes,
  );
  lifecycle.onStop('requests', () => http.close());
  const listener = await listen(http.fetch, address).catch(async (error: unknown) => {
    throw (await cannotListen(address)) ?? error;
  });
  lifecycle.onStop('server', (hurry) => listener.close(GRACE_MS, hurry));
  lifecycle.onStop('streams', async () => http.endStreams());
  service.log.info({ url: listener.url }, 'listening');
  return { url: environment.baseUrl ?? listener.url, baseUrl: baseUrl() };
}

const localUrl = ({ port }: Listener): string => `http://localhost:${port}`;
