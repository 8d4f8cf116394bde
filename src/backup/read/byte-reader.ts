export interface ByteReader {
  /** The next line without its end; undefined where nothing is left. Throws where it is cut off. */
  line(): Promise<string | undefined>;
  bytes(count: number): Promise<Buffer>;
}

const LINE_MAX = 2 ** 20;
const NEWLINE = 0x0a;

export class CutOff extends Error {}

/** Reads a stream in the portions that its reader asks for. */
export function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let size = 0;

  const more = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (done) {
      return false;
    }
    held.push(value);
    size += value.length;
    return true;
  };
  const whole = (): Buffer => {
    const joined = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held, size);
    held = [joined];
    return joined;
  };
  const take = (count: number, skip = 0): Buffer => {
    const joined = whole();
    held = [joined.subarray(count + skip)];
    size -= count + skip;
    return joined.subarray(0, count);
  };
  return {
    async line() {
      for (;;) {
        const end = whole().indexOf(NEWLINE);
        if (end >= 0) {
          return take(end, 1).toString();
        }
        if (size > LINE_MAX || !(await more())) {
          if (size === 0) {
            return undefined;
          }
          throw new CutOff();
        }
      }
    },
    async bytes(count) {
      for (;;) {
        if (size >= count) {
          return take(count);
        }
        if (!(await more())) {
          throw new CutOff();
        }
      }
    },
  };
}
