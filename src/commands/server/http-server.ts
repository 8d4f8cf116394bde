import { identifySessions } from '../../accounts/sign-in/identify-session.ts';
import { consoleFiles } from '../../console/console-files.ts';
import { openIdRoutes } from '../../console/sign-in/open-id-routes.ts';
import { oauthRoutes } from '../../agents/oauth/oauth-routes.ts';
import { openKeyUse, identifyKeys } from '../../accounts/keys/identify-key.ts';
import type { Rate, PublicRates } from '#core/rate-limit.ts';
import { baseUrlOf, type Environment } from '#platform/config/environment.ts';
import type { Database } from '#platform/database/database.ts';
import { buildApp, type AppDeps, type PlainRoute } from '#platform/http/app.ts';
import { openBodyBudget } from '#platform/http/body/budget.ts';
import { openStreams } from '#platform/http/events.ts';
import { requireOpenId } from '#platform/open-id/provider.ts';
import { readAllowList } from '#platform/outbound/guard.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { cannotListen, listen, type Address } from '#platform/process/listen.ts';
import {
  certificateFilesOf,
  readCertificate,
  watchCertificate,
} from '#platform/process/certificate.ts';
import { openRateLimiter, type RateStoreName } from '#platform/rate-limit/limiter.ts';
import { consoleRoutes } from '#registry/console.ts';
import { endpoints } from '#registry/endpoints.ts';
import { pages } from '#registry/pages.ts';
import { openapiDocument } from '#registry/openapi.ts';
import { version } from '#platform/process/version.ts';
import { mcpRoute, openAgents } from './mcp-route.ts';
import { metricsRoute } from './metrics-route.ts';
import type { Service } from './open-service.ts';
import { openReadiness } from './readiness.ts';

const GRACE_MS = 30_000;

/**
 * Serves the API until the process ends, over HTTPS if the environment names a certificate. Returns
 * its address, and the base URL of links and signatures.
 */
export async function startServer(
  service: Service,
  environment: Environment,
  address: Address,
  lifecycle: Lifecycle,
): Promise<{ readonly url: string; readonly baseUrl: string }> {
  const { rateRead: read, rateWrite: write, publicRates, rateStore, trustedProxies } = environment;
  const baseUrl = () => baseUrlOf({ ...environment, port: listener.port });
  const routes = [
    ...plainRoutes(service.database, baseUrl),
    metricsRoute(service.database, environment),
  ];
  const http = openHttp(
    service,
    {
      rates: { read, write },
      publicRates,
      rateStore,
      baseUrl,
      trustedProxies,
      console: environment.console === 'on',
    },
    routes,
  );
  lifecycle.onStop('requests', () => http.close());
  const files = certificateFilesOf(environment);
  const certificate = files && (await readCertificate(files));
  const listener = await listen(http.fetch, address, certificate).catch(async (error: unknown) => {
    throw (await cannotListen(address)) ?? error;
  });
  if (certificate) {
    const { log } = service;
    const watching = watchCertificate(files, certificate, { log, use: listener.setCertificate });
    lifecycle.onStop('certificate', watching.stop);
  }
  lifecycle.onStop('server', (hurry) => listener.close(GRACE_MS, hurry));
  lifecycle.onStop('streams', async () => http.endStreams());
  service.log.info({ url: listener.url }, 'listening');
  return { url: environment.baseUrl ?? listener.url, baseUrl: baseUrl() };
}

/** Throws a UsageFault if the certificate or the OpenID provider of the environment cannot be used. */
export async function requireServable(environment: Environment): Promise<void> {
  requireOpenId(environment);
  const files = certificateFilesOf(environment);
  if (files) {
    await readCertificate(files);
  }
}

export interface HttpSettings {
  readonly rates: { readonly read: Rate; readonly write: Rate };
  readonly publicRates: PublicRates;
  readonly rateStore: RateStoreName;
  /** The public address; known once the server listens. */
  readonly baseUrl: () => string;
  /** CIDRs. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** False serves no console: everything below `/console` is unknown. */
  readonly console?: boolean;
}

interface Http {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Ends open event streams. */
  endStreams(): void;
  close(): Promise<void>;
}

/** Opens the routes of a service, with authentication and rate limits. */
export function openHttp(
  service: Service,
  { rates, publicRates, rateStore, trustedProxies = [], baseUrl, console = true }: HttpSettings,
  plain: readonly PlainRoute[],
): Http {
  const { database, changes, log, clock, secrets } = service;
  const keyUse = openKeyUse(database, log);
  const limiter = openRateLimiter({
    store: rateStore,
    query: async (text, values) => ({ rows: await database.rows(text, values) }),
    log,
  });
  const streams = openStreams();
  const deps: AppDeps = {
    ...service,
    limiter,
    baseUrl,
    cursorSecret: secrets.derive('cursors'),
    rates,
    publicRates,
    trustedProxies: readAllowList(trustedProxies),
    streams,
    bodyBudget: openBodyBudget(),
    identify: identifyKeys({ database, changes, clock, keyUse }),
    identifySession: identifySessions(database, clock),
  };
  const openId = service.tools.openId.isSetUp ? openIdRoutes(deps) : [];
  const app = buildApp(
    {
      endpoints: [...endpoints, ...pages, ...(console ? consoleRoutes() : [])],
      plain: [
        ...plain,
        mcpRoute(openAgents(deps, log), { hasOAuth: console }),
        ...(console ? [...openId, ...oauthRoutes(deps), ...consoleFiles] : []),
      ],
      unknown: ['/console/api/**', '/console/oidc/**'],
    },
    deps,
  );
  return {
    fetch: app.fetch,
    endStreams: streams.close,
    async close() {
      await keyUse.close();
      await limiter.close();
    },
  };
}

/** The routes without a key. `readyz` returns 503 unless the database works. */
export function plainRoutes(database: Database, baseUrl: () => string): readonly PlainRoute[] {
  const requireReady = openReadiness(database);
  let document: string | undefined;
  return [
    { path: '/healthz', answer: () => OK },
    {
      path: '/readyz',
      async answer() {
        await requireReady();
        return OK;
      },
    },
    {
      path: '/openapi.json',
      limit: 'public_read',
      async answer() {
        const about = { version: version(), baseUrl: baseUrl() };
        document ??= JSON.stringify(openapiDocument(about));
        return { status: 200, text: document };
      },
    },
  ];
}

const OK = { status: 200, text: '{"data":{"status":"ok"}}' };
