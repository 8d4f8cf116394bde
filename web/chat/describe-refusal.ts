import type { Refusal } from './api.ts';
import { texts } from './texts.ts';

/** Returns a refusal as a text for the visitor. */
export function describeRefusal({ status, waitS }: Refusal): string {
  if (status === 429) {
    return texts.tooMany(describeWait(waitS));
  }
  if (status === 404) {
    return texts.goneChat;
  }
  return status >= 400 && status < 500 ? texts.refused : texts.noAnswer;
}

const MINUTE_S = 60;
/** Waits up to this many seconds are shown in seconds, longer ones in minutes. */
const SECONDS_MAX = 90;

const describeWait = (seconds: number): string =>
  seconds <= SECONDS_MAX
    ? texts.seconds(Math.max(1, Math.ceil(seconds)))
    : texts.minutes(Math.ceil(seconds / MINUTE_S));
