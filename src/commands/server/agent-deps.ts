import { openKeyUse, identifyKeys } from '../../accounts/keys/identify-key.ts';
import type { AgentDeps } from '../../agents/calls/in-process.ts';
import { baseUrlOf, type Environment } from '#platform/config/environment.ts';
import { openRateLimiter } from '#platform/rate-limit/limiter.ts';
import type { Service } from './open-service.ts';

interface OpenAgentDeps {
  readonly deps: AgentDeps;
  close(): Promise<void>;
}

/** Opens what calls of agents need in a process that does not serve HTTP. */
export function openAgentDeps(service: Service, environment: Environment): OpenAgentDeps {
  const { database, changes, log, clock, secrets } = service;
  const { rateRead: read, rateWrite: write, rateStore: store } = environment;
  const keyUse = openKeyUse(database, log);
  const limiter = openRateLimiter({
    store,
    query: async (text, values) => ({ rows: await database.rows(text, values) }),
    log,
  });
  return {
    deps: {
      ...service,
      identify: identifyKeys({ database, changes, clock, keyUse }),
      limiter,
      rates: { read, write },
      baseUrl: () => baseUrlOf(environment),
      cursorSecret: secrets.derive('cursors'),
    },
    async close() {
      await keyUse.close();
      await limiter.close();
    },
  };
}
