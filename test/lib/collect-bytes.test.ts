import { describe, expect, test } from 'vitest';
import { collectBytes } from '#lib/collect-bytes.ts';

const MIB = 2 ** 20;

/** Adds chunks; returns the bytes and the reservations made for them. */
function collected(chunks: readonly Buffer[], limitBytes = MIB) {
  const reserved: number[] = [];
  const body = collectBytes(limitBytes, (bytes) => void reserved.push(bytes));
  chunks.forEach((chunk) => body.add(chunk));
  return { bytes: body.bytes(), size: body.size, reserved };
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

describe('bytes that arrive in chunks', () => {
  test('are returned in order', () => {
    const sizes = [0, 1, 1_023, 1, 5_000, 70_000, 3, 4_096, 4_095];
    const chunks = sizes.map((size, index) => Buffer.alloc(size, index));
    const { bytes, size } = collected(chunks);
    expect(bytes.equals(Buffer.concat(chunks))).toBe(true);
    expect(size).toBe(total(sizes));
  });

  test('and are tiny reserve little more than their size, in few pieces', () => {
    const chunks = Array.from({ length: 100_000 }, (_, n) => Buffer.of(n % 256));
    const { bytes, reserved } = collected(chunks);
    expect(bytes.equals(Buffer.concat(chunks))).toBe(true);
    expect(total(reserved)).toBeLessThanOrEqual(2 * chunks.length + 1_024);
    expect(reserved.length).toBeLessThan(20);
  });

  test('are not copied if there is one chunk', () => {
    const chunk = Buffer.from('{"firstName":"Ada"}');
    expect(collected([chunk]).bytes).toBe(chunk);
  });
});
