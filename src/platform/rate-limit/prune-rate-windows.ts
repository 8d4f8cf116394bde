/** Housekeeping, in bites: repeat while `rowCount` is 10,000. Skips locked rows, never waits for a spending. */
export const PRUNE_RATE_WINDOWS = {
  name: 'prune_rate_windows',
  text: `
delete from rate_windows where bucket in (
  select bucket from rate_windows where resets_at <= clock_timestamp()
  limit 10000 for update skip locked)`,
} as const;
