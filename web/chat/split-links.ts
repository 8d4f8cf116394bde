/** A piece of a message; links have an `href`. */
export interface Piece {
  readonly text: string;
  readonly href?: string;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+/gi;
/** Punctuation that ends the sentence around a URL, not the URL. */
const TRAILING = '.,:;!?…*_~';

/** Splits a text at its URLs. Only `http` and `https` become links. */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trim(found);
    const href = hrefOf(address);
    if (href !== undefined) {
      pieces.push({ text: text.slice(done, index) }, { text: address, href });
      done = index + address.length;
    }
  }
  pieces.push({ text: text.slice(done) });
  return pieces.filter((piece) => piece.text !== '');
}

function hrefOf(address: string): string | undefined {
  try {
    return new URL(address).href;
  } catch {
    return undefined;
  }
}

/**
 * Removes trailing punctuation; a closing bracket stays if the URL opens one. Strangers may send messages
 * of nothing but punctuation: each character is looked at once.
 */
function trim(found: string): string {
  const brackets = (found.includes('(') ? '' : ')') + (found.includes('[') ? '' : ']');
  const isTrailing = (character: string): boolean => (TRAILING + brackets).includes(character);
  let end = found.length;
  while (end > 0 && isTrailing(found.charAt(end - 1))) {
    end -= 1;
  }
  return found.slice(0, end);
}
