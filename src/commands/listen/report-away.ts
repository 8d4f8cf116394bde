import { Fault } from '#core/fault.ts';
import { MINUTE_MS } from '#lib/duration.ts';

const REPEAT_MS = 10_000;
const GIVE_UP_MS = MINUTE_MS;

interface AwayOptions {
  readonly url: string;
  /** Waits without limit. */
  readonly retry: boolean;
  readonly complain: (line: string) => void;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
}

/**
 * Reports that an API gives no events: at once, every 10 s with the number of attempts, and when it is
 * back. Throws a Fault where it was not reached within a minute, unless `retry` is set.
 */
export function reportAway({ url, retry, complain, now }: AwayOptions) {
  let since: number | undefined;
  let saidAt = 0;
  let attempts = 0;
  let wasReached = false;
  return (why: string | undefined): void => {
    if (why === undefined) {
      if (since !== undefined) {
        complain(`reads events from ${url} again, after ${seconds(now() - since)}`);
      }
      since = undefined;
      attempts = 0;
      wasReached = true;
      return;
    }
    attempts += 1;
    const at = now();
    if (since === undefined) {
      since = at;
      saidAt = at;
      complain(`cannot read events from ${url}: ${why}; trying again`);
    } else if (!retry && !wasReached && at - since >= GIVE_UP_MS) {
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        `could not read events from ${url} for ${seconds(at - since)}: ${why}; check --url, or wait without limit with --retry`,
      );
    } else if (at - saidAt >= REPEAT_MS) {
      saidAt = at;
      complain(
        `still cannot read events from ${url} after ${seconds(at - since)}: ${why}; attempt ${attempts}`,
      );
    }
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
