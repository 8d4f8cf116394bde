const NS_PER_MS = 1e6;

/** Milliseconds on the clock that all processes of a machine share, so that their times compare. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / NS_PER_MS;
