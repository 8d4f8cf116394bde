const NS_PER_MS = 1e6;

/** Returns milliseconds of a clock that all processes of a machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / NS_PER_MS;
