import { hash } from 'node:crypto';

/** A seeded source of randomness: the same seed gives the same run (mulberry32). */
export interface Random {
  /** From 0 up to, but not including, `end`. */
  below(end: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
  bytes(length: number): Buffer;
}

export function randomOf(seed: string): Random {
  let state = hash('sha256', seed, 'buffer').readInt32LE();
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (values) => values[below(values.length)] ?? values[0],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
