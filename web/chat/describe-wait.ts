import { words } from './words.ts';

const MINUTE_S = 60;
/** Up to here seconds are told; nobody counts more of them. */
const SECONDS_MAX = 90;

export const describeWait = (seconds: number): string =>
  seconds <= SECONDS_MAX
    ? words.seconds(Math.max(1, Math.ceil(seconds)))
    : words.minutes(Math.ceil(seconds / MINUTE_S));
