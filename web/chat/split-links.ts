/** A piece of a message; `href` where it is a link. */
export interface Piece {
  readonly text: string;
  readonly href?: string;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+/gi;
/** What ends a sentence around an address rather than the address. */
const TRAILING = /[.,:;!?…*_~]+$/;

/** Cuts a text at its web addresses. Nothing but `http` and `https` becomes a link. */
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

/** Without the punctuation that follows; a closing bracket stays where the address opens one. */
function trim(found: string): string {
  const bare = found.replace(TRAILING, '');
  const last = bare.at(-1);
  const opening = last === ')' ? '(' : last === ']' ? '[' : undefined;
  return opening !== undefined && !bare.includes(opening) ? trim(bare.slice(0, -1)) : bare;
}
