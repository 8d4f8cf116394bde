/** Returns the value that this percentage of all values does not exceed. */
export function percentile(figures: readonly number[], percent: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}
