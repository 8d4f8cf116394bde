import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CutOff } from '../../src/backup/explain.ts';
import { byteReader } from '../../src/backup/read-backup.ts';

async function* cut(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function all(pieces: AsyncIterable<Buffer>): Promise<readonly Buffer[]> {
  const found: Buffer[] = [];
  for await (const piece of pieces) {
    found.push(piece);
  }
  return found;
}

describe('a byte reader', () => {
  test('gives lines and bytes as they were, however the stream is cut', async () => {
    const part = fc.tuple(fc.stringMatching(/^[a-zäß]*$/), fc.uint8Array({ maxLength: 40 }));
    const property = fc.asyncProperty(
      fc.array(part),
      fc.integer({ min: 1, max: 50 }),
      async (parts, size) => {
        const whole = Buffer.concat(
          parts.flatMap(([line, bytes]) => [Buffer.from(`${line}\n`), bytes]),
        );
        const reader = byteReader(cut(whole, size));
        for (const [line, bytes] of parts) {
          expect(await reader.line()).toBe(line);
          const pieces = await all(reader.bytes(bytes.length));
          expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
        }
        expect(await reader.line()).toBeUndefined();
      },
    );
    await fc.assert(property);
  });

  test('says so where the stream ends too early', async () => {
    await expect(byteReader(cut(Buffer.from('abc'), 2)).line()).rejects.toThrow(CutOff);
    const bytes = byteReader(cut(Buffer.from('abc'), 2)).bytes(4);
    await expect(all(bytes)).rejects.toThrow(CutOff);
  });

  test('takes no line without end into memory', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 2 ** 18;
        yield Buffer.alloc(2 ** 18, 'a');
      }
    }
    await expect(byteReader(endless()).line()).rejects.toThrow(CutOff);
    expect(read).toBeLessThan(2 ** 21);
  });

  test('gives a long block in the pieces that arrive, not as a whole', async () => {
    const block = cut(Buffer.alloc(2 ** 20, 'a'), 2 ** 14);
    const pieces = await all(byteReader(block).bytes(2 ** 20));
    expect(pieces.map(({ length }) => length)).toEqual(Array.from({ length: 64 }, () => 2 ** 14));
  });
});
