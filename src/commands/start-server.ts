import { cannotListen } from '#platform/cannot-listen.ts';
import type { Environment } from '#platform/environment.ts';
import type { Lifecycle } from '#platform/lifecycle.ts';
import { listen, type Address, type Listener } from '#platform/listen.ts';
import { openHttp } from './open-http.ts';
import type { Service } from './open-service.ts';
import { plainRoutes } from './plain-routes.ts';

const GRACE_MS = 30_000;

/** Serves the API until the process ends; the address answered is the one to call it at. */
export async function startServer(
  service: Service,
  environment: Environment,
  address: Address,
  lifecycle: Lifecycle,
): Promise<{ readonly url: string }> {
  const { rateRead: read, rateWrite: write, rateStore } = environment;
  const routes = plainRoutes(service.database, () => environment.baseUrl ?? localUrl(listener));
  const http = openHttp(service, { rates: { read, write }, rateStore }, routes);
  lifecycle.onStop('requests', () => http.close());
  const listener = await listen(http.fetch, address).catch(async (error: unknown) => {
    throw (await cannotListen(address)) ?? error;
  });
  lifecycle.onStop('server', (hurry) => listener.close(GRACE_MS, hurry));
  service.log.info({ url: listener.url }, 'listening');
  return { url: environment.baseUrl ?? listener.url };
}

const localUrl = ({ port }: Listener): string => `http://localhost:${port}`;
