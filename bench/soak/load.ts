import { Agent, request } from 'undici';
import type { Household } from './household.ts';
import { someDeed, type Call } from './mix.ts';

const PATIENCE_MS = 60_000;
const TICK_MS = 20;
/** Requests beyond this number are skipped, so that a slow server is not overloaded. */
const UNDER_WAY_MAX = 500;

export interface Load {
  /** The number of responses by status; `none` without a response. */
  readonly statuses: ReadonlyMap<string, number>;
  /** The last refusal. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Resolves when all pending requests have ended. */
  stop(): Promise<void>;
}

/** Sends requests at a fixed rate, independent of the responses. */
export function startLoad(url: string, household: Household, rate: number): Load {
  const statuses = new Map<string, number>();
  const refusals = new Map<string, string>();
  const dispatcher = new Agent({ connections: 50 });
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let asked = 0;
  let deeds = 0;
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const call: Call = async (line, body) => {
    asked += 1;
    const [method = 'GET', path = '/'] = line.split(' ');
    try {
      const answer = await request(url + path, {
        dispatcher,
        method: method as 'GET',
        headers: {
          ...(path.startsWith('/api/v1/') && { authorization: household.authorization }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        bodyTimeout: PATIENCE_MS,
        headersTimeout: PATIENCE_MS,
      });
      const text = await answer.body.text();
      count(String(answer.statusCode));
      if (answer.statusCode >= 300) {
        const where = path.split('?')[0]?.replaceAll(/[0-9a-f-]{36}/g, ':id');
        refusals.set(`${answer.statusCode} ${method} ${where}`, text);
      }
      return answer.statusCode < 300 ? JSON.parse(text) : undefined;
    } catch {
      count('none');
      return undefined;
    }
  };
  const act = async (n: number) => {
    try {
      await someDeed(call, household, n);
    } catch {
      count('none');
    }
  };
  const isBehind = () =>
    underWay.size < UNDER_WAY_MAX && asked < ((performance.now() - startedAt) / 1_000) * rate;
  const timer = setInterval(() => {
    while (isBehind()) {
      deeds += 1;
      const doing = act(deeds);
      underWay.add(doing);
      void doing.finally(() => underWay.delete(doing));
    }
  }, TICK_MS);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(underWay);
    await dispatcher.close();
  };
  return {
    statuses,
    refusals,
    stop: () => (stopping ??= stop()),
  };
}
