import { attempt } from './attempt.ts';
import { FrontdeskError } from './error.ts';
import { requestOf, type Call } from './request.ts';
import type { Settings } from './settings.ts';
import { waitAfter } from './wait-after.ts';

/** Returns the envelope of a successful call. Retries if that can help and is safe. */
export async function send(settings: Settings, call: Call): Promise<object> {
  const { random, now, sleep } = settings;
  const { options } = call;
  const request = requestOf(settings, call);
  const maxTries = options?.maxTries ?? settings.maxTries;
  const timeoutMs = options?.timeoutMs ?? settings.timeoutMs;
  const deadline = now() + (options?.totalTimeoutMs ?? settings.totalTimeoutMs);
  for (let tries = 1; ; tries += 1) {
    const left = deadline - now();
    const outcome = await attempt(settings, request, {
      tries,
      timeoutMs: Math.min(timeoutMs, left),
      signal: options?.signal,
    });
    if (!(outcome instanceof FrontdeskError)) {
      return outcome;
    }
    const waitMs = waitAfter(outcome, { ...request, maxTries, random });
    if (waitMs === undefined || now() + waitMs >= deadline) {
      throw outcome;
    }
    await sleep(waitMs, options?.signal);
  }
}
