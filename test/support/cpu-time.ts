/**
 * Returns the milliseconds of processor time that `work`, which is synchronous, takes. Unlike a
 * duration they do not grow while other programs keep the machine busy.
 */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
