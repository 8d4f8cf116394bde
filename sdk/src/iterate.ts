import type { Answer, Api } from './api.ts';
import type { CallOptions } from './options.ts';

/** What a page takes at most: the fewest calls for all of a list. */
const PAGE_MAX = 100;

interface Place {
  hasMore: boolean;
  cursor: string | null;
}

/** A list from its first record to its last: `for await (const contact of …)`. */
export interface Paged<T, M> extends AsyncIterable<T> {
  /** The same by the page, each with its `meta`: keep its cursor to go on from there. */
  pages(): AsyncIterable<Answer<T[], M>>;
}

interface ListQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Asks for the next page only when it is needed. Rows that come and go meanwhile do no harm. */
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

/** Ends where it is caught up. */
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
