import { FrontdeskError } from './error.ts';
import { readAnswer } from './read-answer.ts';
import type { PreparedRequest } from './request.ts';
import type { Settings } from './settings.ts';
import { withinTime } from './within-time.ts';

interface Try {
  /** With this one. */
  readonly tries: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes one attempt; returns the envelope of a success, or the error. Throws when the caller
 * aborts.
 */
export async function attempt(
  { fetch, now }: Settings,
  { url, init }: PreparedRequest,
  { tries, timeoutMs, signal: outer }: Try,
): Promise<object | FrontdeskError> {
  try {
    return await withinTime(timeoutMs, outer, async (signal) => {
      const response = await fetch(url, { ...init, signal });
      return readAnswer(response, await response.text(), { tries, now });
    });
  } catch (cause) {
    outer?.throwIfAborted();
    if (cause instanceof DOMException && cause.name === 'TimeoutError') {
      const message = `no answer in ${timeoutMs} ms`;
      return new FrontdeskError({ code: 'TIMEOUT', message, tries, cause });
    }
    const { origin } = new URL(url);
    const message = `${origin} cannot be reached`;
    return new FrontdeskError({ code: 'CONNECTION_FAILED', message, tries, cause });
  }
}
