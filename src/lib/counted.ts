/** Returns a count with its noun, such as `1 job` or `2 jobs`. Pass irregular plurals. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
