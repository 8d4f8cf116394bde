// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateFeed } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { WebhookEvent } from '../webhook-event.ts';

export interface FeedMeta {
  hasMore: boolean;
  cursor: string;
}

export interface EventsListQuery {
  limit?: number | undefined;
  /** the cursor of the previous page; it never expires */
  after?: string | undefined;
  /** where to start; for the first page only */
  start?: 'oldest' | 'latest' | undefined;
}

export const events = (api: Api) => ({
  /**
   * List the events of the last 30 days, oldest first.
   *
   * Returns every event once, in the order in which the changes became visible. Pass
   * `meta.cursor` as `after` to get the next page; it is never null and never expires.
   * `hasMore: false` means that you have caught up: poll again later with the same cursor.
   *
   * Scope: `webhooks:manage`.
   */
  list: (query: EventsListQuery = {}, options?: CallOptions) =>
    api.answer<WebhookEvent[], FeedMeta>('GET', path`/api/v1/events`, { query, options }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: EventsListQuery = {}, options?: CallOptions) =>
    iterateFeed<WebhookEvent, FeedMeta>(api, path`/api/v1/events`, query, options),
});
