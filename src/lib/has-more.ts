/** Returns whether a text of ASCII occurs more than `limit` times; stops at the first one above it. */
export function hasMore(bytes: Buffer, what: string, limit: number): boolean {
  let at = -1;
  for (let found = 0; found <= limit; found += 1) {
    at = bytes.indexOf(what, at + 1, 'latin1');
    if (at < 0) {
      return false;
    }
  }
  return true;
}
