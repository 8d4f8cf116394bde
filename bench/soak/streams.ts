import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { consoleHeaders, type SignedIn } from './console-session.ts';

/** Open pages of the console. */
const PAGES = 12;
/** How long a page stays open. */
const OPEN_MS = { atLeast: 20_000, atMost: 180_000 };

export interface Streams {
  /** Streams that have been opened, and the changes they showed. */
  readonly opened: number;
  readonly changes: number;
  /** Streams that were refused or ended by the server, with the reason of the last one. */
  readonly broken: number;
  readonly lastBreak: string;
  stop(): Promise<void>;
}

/** Keeps pages of the console open, each with its stream of changes, and opens each again and again. */
export function startStreams(url: string, { household, cookie }: SignedIn): Streams {
  const dispatcher = new Agent({ connections: PAGES, bodyTimeout: 0 });
  const stopping = new AbortController();
  const figures = { opened: 0, changes: 0, broken: 0, lastBreak: '' };
  const visit = async (signal: AbortSignal) => {
    const { statusCode, body } = await request(`${url}/console/api/v1/stream`, {
      dispatcher,
      headers: consoleHeaders(household, cookie),
      signal,
    });
    if (statusCode !== 200) {
      throw new Error(`${statusCode} ${await body.text()}`);
    }
    figures.opened += 1;
    for await (const chunk of body) {
      figures.changes += String(chunk).split('event: message').length - 1;
    }
    throw new Error('the server ended the stream');
  };
  const keepOpen = async () => {
    while (!stopping.signal.aborted) {
      const openMs = randomInt(OPEN_MS.atLeast, OPEN_MS.atMost);
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(openMs)]);
      try {
        await visit(signal);
      } catch (error) {
        if (!signal.aborted) {
          figures.broken += 1;
          figures.lastBreak = String(error);
          await sleep(1_000, undefined, { signal }).catch(() => undefined);
        }
      }
    }
  };
  const pages = Array.from({ length: PAGES }, keepOpen);
  let ended: Promise<void> | undefined;
  const end = async () => {
    stopping.abort();
    await Promise.all(pages);
    await dispatcher.destroy();
  };
  return Object.assign(figures, { stop: () => (ended ??= end()) });
}
