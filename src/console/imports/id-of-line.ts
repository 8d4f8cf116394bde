import { createHash } from 'node:crypto';

const LINE_BITS = 12n;
const LOW_LINE = 0xfffn;
const VERSION = 7n << 76n;
const VARIANT = 2n << 62n;
const NOISE_MASK = (1n << 50n) - 1n;

/**
 * Returns the id of the contact that a line of an import creates. It has the time of the import's own id
 * and follows the order of the file.
 */
export function idOfLine(importId: string, line: number): string {
  const time = BigInt(`0x${importId.replaceAll('-', '').slice(0, 12)}`) << 80n;
  const digest = createHash('sha256').update(`${importId}/${line}`).digest();
  const noise = digest.readBigUInt64BE(0) & NOISE_MASK;
  const number = BigInt(line);
  const high = ((number >> LINE_BITS) & LOW_LINE) << 64n;
  const low = (number & LOW_LINE) << 50n;
  const hex = (time | VERSION | high | VARIANT | low | noise).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
