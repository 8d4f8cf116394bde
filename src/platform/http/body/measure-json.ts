import { pointerToken } from '#core/fault.ts';

export interface JsonLimits {
  /** Objects, lists, texts, numbers, booleans and nulls, at all levels. */
  readonly values: number;
  /** Objects and lists within each other. */
  readonly depth: number;
}

export const tooDeep = ({ depth }: JsonLimits): string => `is nested deeper than ${depth} levels`;
export const tooMany = ({ values }: JsonLimits): string => `contains more than ${values} values`;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK_MAX = 0x20;

export interface Excess {
  readonly message: string;
  /** The JSON pointer of the first value beyond the limits. */
  readonly path: string;
}

/**
 * Returns why JSON is too large to be parsed; undefined if it is within the limits, or is no JSON before it
 * exceeds them. A megabyte of brackets or numbers keeps the parser busy for up to two seconds. It takes a
 * hundredth of that to count the values by their commas and brackets outside of strings.
 */
export function measureJson(bytes: Buffer, limits: JsonLimits): Excess | undefined {
  let left = limits.values - 1;
  let depth = 0;
  /** The last bracket has no content yet, which is one value more than it has commas. */
  let isEmpty = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= BLANK_MAX) {
      continue;
    }
    if (byte === BRACKET_END || byte === BRACE_END) {
      depth -= 1;
      isEmpty = false;
      continue;
    }
    if (isEmpty || byte === COMMA) {
      left -= 1;
      isEmpty = false;
    }
    if (left < 0) {
      return { message: tooMany(limits), path: pointerAt(bytes, byte === COMMA ? at + 1 : at) };
    }
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
    } else if (byte === BRACKET || byte === BRACE) {
      depth += 1;
      isEmpty = true;
    }
    if (depth > limits.depth) {
      return { message: tooDeep(limits), path: pointerAt(bytes, at) };
    }
  }
  return undefined;
}

interface Bracket {
  readonly isList: boolean;
  /** Which of its values comes next. */
  index: number;
  /** Where this value, or its name, starts. */
  start: number;
}

/** Returns the JSON pointer of the value that starts at a place, or has its name there. */
function pointerAt(bytes: Buffer, place: number): string {
  const open: Bracket[] = [];
  for (let at = 0; at < place; at += 1) {
    const byte = bytes[at];
    const last = open.at(-1);
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
    } else if (byte === BRACKET || byte === BRACE) {
      open.push({ isList: byte === BRACKET, index: 0, start: at + 1 });
    } else if (byte === BRACKET_END || byte === BRACE_END) {
      open.pop();
    } else if (byte === COMMA && last) {
      last.index += 1;
      last.start = at + 1;
    }
  }
  return open
    .map(({ isList, index, start }) => `/${isList ? index : pointerToken(nameAt(bytes, start))}`)
    .join('');
}

/** Returns the name that follows in an object; an empty one if this is no JSON. */
function nameAt(bytes: Buffer, start: number): string {
  const quote = bytes.indexOf(QUOTE, start);
  if (quote < 0) {
    return '';
  }
  try {
    return String(JSON.parse(bytes.toString('utf8', quote, endOfString(bytes, quote + 1) + 1)));
  } catch {
    return '';
  }
}

/** Longer strings are skipped by a search, which costs as much as this many bytes. */
const SHORT_BYTES = 64;

/** Returns the place of the quote that ends a string, or the length. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length;) {
    const near = Math.min(at + SHORT_BYTES, bytes.length);
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        return at;
      }
      at += byte === BACKSLASH ? 2 : 1;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) {
      return bytes.length;
    }
    let escapes = quote;
    while (escapes > at && bytes[escapes - 1] === BACKSLASH) {
      escapes -= 1;
    }
    if ((quote - escapes) % 2 === 0) {
      return quote;
    }
    at = quote + 1;
  }
  return bytes.length;
}
