import { offsetAt, zoneAround } from './zone.ts';

/** `2026-11-02 09:00` in a zone, for an operator's eyes. */
export const wallClock = (timezone: string, instant: number): string =>
  new Date(instant + offsetAt(zoneAround(timezone, instant), instant))
    .toISOString()
    .slice(0, 16)
    .replace('T', ' ');

export const timeOfDay = (timezone: string, instant: number): string =>
  wallClock(timezone, instant).slice(-5);
