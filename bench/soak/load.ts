import { Agent, request } from 'undici';
import { consoleHeaders, type SignedIn } from './console-session.ts';
import type { Call } from './deed.ts';
import type { Household } from './household.ts';
import { someDeed } from './mix.ts';

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
export function startLoad(url: string, signedIn: SignedIn, rate: number): Load {
  const { household, cookie } = signedIn;
  const statuses = new Map<string, number>();
  const refusals = new Map<string, string>();
  const dispatcher = new Agent({ connections: 50 });
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let asked = 0;
  let deeds = 0;
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const call: Call = async (line, body, headers = {}) => {
    asked += 1;
    const [method = 'GET', path = '/'] = line.split(' ');
    try {
      const answer = await request(url + path, {
        dispatcher,
        method: method as 'GET',
        headers: { ...credentialsOf(path, household, cookie), ...typeOf(body), ...headers },
        ...(body !== undefined && { body: bytesOf(body) }),
        bodyTimeout: PATIENCE_MS,
        headersTimeout: PATIENCE_MS,
      });
      const text = await answer.body.text();
      count(String(answer.statusCode));
      if (answer.statusCode >= 300) {
        const where = path.split('?')[0]?.replaceAll(/[0-9a-f-]{36}/g, ':id');
        refusals.set(`${answer.statusCode} ${method} ${where}`, text);
      }
      return answer.statusCode < 300 ? parsed(text, answer.headers['content-type']) : undefined;
    } catch {
      count('none');
      return undefined;
    }
  };
  const act = async (n: number) => {
    try {
      await someDeed(call, household, n);
    } catch (error) {
      count('none');
      refusals.set('none', String(error));
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

/** The API and agents use a key, the console a session. */
function credentialsOf(path: string, household: Household, cookie: string) {
  if (path.startsWith('/console/')) {
    return consoleHeaders(household, cookie);
  }
  return path.startsWith('/api/v1/') || path.startsWith('/mcp')
    ? { authorization: household.authorization }
    : {};
}

const typeOf = (body: unknown) =>
  body === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' };

const bytesOf = (body: unknown): Buffer | string =>
  Buffer.isBuffer(body) ? body : JSON.stringify(body);

const parsed = (text: string, type: unknown): unknown =>
  String(type).startsWith('application/json') ? JSON.parse(text) : text;
