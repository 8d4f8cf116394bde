import type { PublicRates } from '#core/endpoint/public-limit.ts';
import type { Rate } from '#core/endpoint/rate.ts';
import { buildApp, type PlainRoute } from '#platform/http/app.ts';
import { openBodyBudget } from '#platform/http/body/budget.ts';
import { openStreams } from '#platform/http/events.ts';
import { readAllowList } from '#platform/outbound/guard.ts';
import { openRateLimiter, type RateStoreName } from '#platform/rate-limit/limiter.ts';
import { endpoints } from '#registry/endpoints.ts';
import { pages } from '#registry/pages.ts';
import { identifyKeys } from '../../accounts/keys/identify-key.ts';
import { openKeyUse } from '../../accounts/keys/identify-key.ts';
import type { Service } from './open-service.ts';

export interface HttpSettings {
  readonly rates: { readonly read: Rate; readonly write: Rate };
  readonly publicRates: PublicRates;
  readonly rateStore: RateStoreName;
  /** The public address, which is known once the server listens. */
  readonly baseUrl: () => string;
  /** CIDRs. */
  readonly trustedProxies?: readonly string[] | undefined;
}

export interface Http {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Ends what would go on for as long as its reader stays. */
  endStreams(): void;
  close(): Promise<void>;
}

/** The HTTP side of a service: the routes, and what recognises and limits those who call them. */
export function openHttp(
  service: Service,
  { rates, publicRates, rateStore, trustedProxies = [], baseUrl }: HttpSettings,
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
  const app = buildApp(
    { endpoints: [...endpoints, ...pages], plain },
    {
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
    },
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
