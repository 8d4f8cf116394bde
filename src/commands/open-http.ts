import type { Rate } from '#kit/rate.ts';
import { buildApp, type PlainRoute } from '#platform/http/app.ts';
import { openRateLimiter, type RateStoreName } from '#platform/rate-limit/open-rate-limiter.ts';
import { endpoints } from '#registry/endpoints.ts';
import { identifyKeys } from '../accounts/identify-key.ts';
import { openKeyUse } from '../accounts/key-use.ts';
import type { Service } from './open-service.ts';

export interface HttpSettings {
  readonly rates: { readonly read: Rate; readonly write: Rate };
  readonly rateStore: RateStoreName;
}

export interface Http {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  close(): Promise<void>;
}

/** The HTTP side of a service: the routes, and what recognises and limits those who call them. */
export function openHttp(
  service: Service,
  { rates, rateStore }: HttpSettings,
  plain: readonly PlainRoute[],
): Http {
  const { database, changes, log, clock, secrets } = service;
  const keyUse = openKeyUse(database, log);
  const limiter = openRateLimiter({
    store: rateStore,
    query: async (text, values) => ({ rows: await database.rows(text, values) }),
    log,
  });
  const app = buildApp(
    { endpoints, plain },
    {
      ...service,
      limiter,
      cursorSecret: secrets.derive('cursors'),
      rates,
      identify: identifyKeys({ database, changes, clock, keyUse }),
    },
  );
  return {
    fetch: app.fetch,
    async close() {
      await keyUse.close();
      await limiter.close();
    },
  };
}
