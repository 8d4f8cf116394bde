import { QueryObserver } from '@tanstack/query-core';
import { afterEach, describe, expect, test } from 'vitest';
import { CurrentQueryClient } from '../../web/console/api/current-query-client.ts';

const KEY = ['sub-account', 'messages'];

const queries = new CurrentQueryClient({
  defaultOptions: { queries: { retry: false, staleTime: Infinity } },
});
afterEach(() => queries.clear());

/** A server whose responses the test holds back; each says what was stored when it was asked. */
function openServer() {
  let stored = 'old';
  const held: (() => void)[] = [];
  return {
    change: () => (stored = 'new'),
    queryFn() {
      const answer = stored;
      return new Promise<string>((resolve) => held.push(() => resolve(answer)));
    },
    /** Answers every request, and those that the answers cause. */
    async answer() {
      do {
        held.shift()?.();
        await new Promise(setImmediate);
      } while (held.length > 0);
    },
  };
}

/** As the console does for each event of its stream. */
const announce = () => void queries.invalidateQueries({ queryKey: KEY.slice(0, 1) });

describe('a change that is announced during a request', () => {
  test('of a first load is shown', async () => {
    const server = openServer();
    const observer = new QueryObserver(queries, { queryKey: KEY, queryFn: server.queryFn });
    const stop = observer.subscribe(() => undefined);
    server.change();
    announce();
    announce();
    await server.answer();
    expect(observer.getCurrentResult()).toMatchObject({ data: 'new', isStale: false });
    stop();
  });

  test('of a preload is shown when the list is opened', async () => {
    const server = openServer();
    const query = { queryKey: KEY, queryFn: server.queryFn };
    const preloaded = queries.prefetchQuery(query);
    server.change();
    announce();
    await server.answer();
    await preloaded;
    const observer = new QueryObserver(queries, query);
    const stop = observer.subscribe(() => undefined);
    await server.answer();
    expect(observer.getCurrentResult()).toMatchObject({ data: 'new', isStale: false });
    stop();
  });

  test('that fails, too', async () => {
    const server = openServer();
    let isFirst = true;
    const queryFn = async () => {
      const fails = isFirst;
      isFirst = false;
      const answer = await server.queryFn();
      if (fails) {
        throw new Error('unreachable');
      }
      return answer;
    };
    const observer = new QueryObserver(queries, { queryKey: KEY, queryFn });
    const stop = observer.subscribe(() => undefined);
    server.change();
    announce();
    await server.answer();
    expect(observer.getCurrentResult()).toMatchObject({ data: 'new', isSuccess: true });
    stop();
  });
});
