import { sleep } from '#lib/abort.ts';
import { callApi, type Api } from './ask-api.ts';

const LOOK_EVERY_MS = 1_000;
const PAGE_MAX = 100;

export interface FeedEvent {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly data: { readonly contactId?: string };
}

interface Page {
  readonly data: readonly FeedEvent[];
  readonly meta: { readonly cursor: string; readonly hasMore: boolean };
}

/**
 * The pull feed from its end on, page by page; pages without events too, the first of which says
 * that the key is good. Waits for an API that is away, and ends when told. Throws where the API
 * refuses.
 */
export async function* readFeed(
  api: Api,
  told: AbortSignal,
  report: (why: string | undefined) => void,
): AsyncGenerator<readonly FeedEvent[]> {
  let query: Record<string, string> = { start: 'latest', limit: '1' };
  while (!told.aborted) {
    const path = `/api/v1/events?${new URLSearchParams(query).toString()}`;
    const answer = await callApi<Page>(api, path, told);
    if (told.aborted) {
      return;
    }
    report('why' in answer ? answer.why : undefined);
    if ('why' in answer) {
      await sleep(answer.waitMs, told);
      continue;
    }
    const { data, meta } = answer;
    yield data;
    query = { after: meta.cursor, limit: String(PAGE_MAX) };
    if (!meta.hasMore) {
      await sleep(LOOK_EVERY_MS, told);
    }
  }
}
