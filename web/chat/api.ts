import { call, type Outcome } from './call.ts';
import type { Configuration } from './configuration.ts';
import type { Row } from './row.ts';

export interface Visitor {
  readonly visitorName: string;
  readonly visitorEmail?: string;
}

interface Said {
  readonly text: string;
  readonly key: string;
}

/** The endpoints under `/api/chat/`. */
export interface Api {
  configuration(): Promise<Outcome<Configuration>>;
  startSession(visitor: Visitor): Promise<Outcome<{ readonly sessionId: string }>>;
  postMessage(sessionId: string, message: Said): Promise<Outcome<Row>>;
  /** All of them, oldest first; those after `after` only, where there is one. */
  messages(sessionId: string, after: string | undefined): Promise<Outcome<readonly Row[]>>;
  /** The address of the server-sent events. */
  streamUrl(sessionId: string, after: string | undefined): string;
}

export function openApi(base: string, subAccountId: string): Api {
  const at = (path: string, query: Readonly<Record<string, string | undefined>>) => {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, value);
      }
    }
    return url.href;
  };
  return {
    configuration: () => call(at('config', { subAccountId })),
    startSession: (visitor) => call(at('session', {}), { subAccountId, ...visitor }),
    postMessage: (sessionId, { text, key }) =>
      call(at('message', {}), { sessionId, message: text }, key),
    async messages(sessionId, after) {
      const rows: Row[] = [];
      for (let last = after; ; last = rows.at(-1)?.id) {
        const page = await call<readonly Row[]>(at('messages', { sessionId, after: last }));
        rows.push(...(page.data ?? []));
        if (page.data === undefined || page.data.length === 0 || !page.hasMore) {
          return page.data === undefined ? page : { data: rows, hasMore: false };
        }
      }
    },
    streamUrl: (sessionId, after) => at('stream', { sessionId, after }),
  };
}
