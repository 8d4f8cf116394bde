/** A count with its noun: `1 job`, `2 jobs`; irregular plurals are given. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
