import type { Answer, Api } from './api.ts';
import type { CallOptions } from './options.ts';

/** The largest page: the fewest calls for a whole list. */
const PAGE_MAX = 100;

interface Place {
  hasMore: boolean;
  cursor: string | null;
}

/** Iterates a whole list: `for await (const contact of …)`. */
export interface Paged<T, M> extends AsyncIterable<T> {
  /** Iterates by page, each with its `meta`: store the cursor to continue from there. */
  pages(): AsyncIterable<Answer<T[], M>>;
}

interface ListQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Fetches the next page only when it is needed. Concurrent changes cause no repeats or gaps. */
export const iterateList = <T, M extends Place>(
  api: Api,
  path: string,
  query: ListQuery = {},
  options?: CallOptions,
): Paged<T, M> =>
  paged((cursor = query.cursor) =>
    api.answer('GET', path, { query: { limit: PAGE_MAX, ...query, cursor }, options }),
  );

interface FeedQuery {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly start?: string | undefined;
}

/** Ends when caught up. */
export const iterateFeed = <T, M extends Place>(
  api: Api,
  path: string,
  { start, after: from, ...query }: FeedQuery = {},
  options?: CallOptions,
): Paged<T, M> =>
  paged((after = from) => {
    const place = after === undefined ? { start } : { after };
    return api.answer('GET', path, { query: { limit: PAGE_MAX, ...query, ...place }, options });
  });

/** Returns a list without `limit`: only a very large one has several pages, and older servers know none. */
export async function wholeList<T>(
  api: Api,
  path: string,
  query: { readonly cursor?: string | undefined } = {},
  options?: CallOptions,
): Promise<T[]> {
  const list: T[] = [];
  let { cursor } = query;
  do {
    const page = await api.answer<T[], Place | undefined>('GET', path, {
      query: { ...query, cursor },
      options,
    });
    for (const one of page.data) {
      list.push(one);
    }
    cursor = (page.meta?.hasMore && page.meta.cursor) || undefined;
  } while (cursor !== undefined);
  return list;
}

type Ask<T, M> = (cursor: string | undefined) => Promise<Answer<T[], M>>;

const paged = <T, M extends Place>(ask: Ask<T, M>): Paged<T, M> => ({
  pages: () => pagesOf(ask),
  async *[Symbol.asyncIterator]() {
    for await (const { data } of pagesOf(ask)) {
      yield* data;
    }
  },
});

async function* pagesOf<T, M extends Place>(ask: Ask<T, M>): AsyncGenerator<Answer<T[], M>> {
  let cursor: string | undefined;
  for (;;) {
    const page = await ask(cursor);
    yield page;
    const { meta } = page;
    if (!meta.hasMore || meta.cursor === null) {
      return;
    }
    ({ cursor } = meta);
  }
}
