/** Fewer edits than this share of a word make two words similar. */
const EDITS_SHARE = 0.4;
/** Longer words match no name, and the comparison takes quadratic time. */
const LENGTH_MAX = 100;
/** More names would delay other requests. */
const COMPARED_MAX = 1_000;

/** Returns `; did you mean "…"?` with the most similar name, or an empty text. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const best = mostSimilar(given, names);
  return best === undefined ? '' : `; did you mean ${JSON.stringify(best)}?`;
}

/** Returns the most similar of the first thousand names; undefined if none is similar. */
export function mostSimilar(given: string, names: Iterable<string>): string | undefined {
  if (given.length > LENGTH_MAX) {
    return undefined;
  }
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let fewest = Infinity;
  let compared = 0;
  for (const name of names) {
    const allowed = Math.min(fewest - 1, Math.max(given.length, name.length) * EDITS_SHARE);
    // Each character that one of them is longer by is an edit.
    if (Math.abs(given.length - name.length) <= allowed) {
      const edits = editsWithin(allowed, wanted, name.toLowerCase());
      if (edits !== undefined) {
        best = name;
        fewest = edits;
      }
    }
    compared += 1;
    if (compared === COMPARED_MAX) {
      break;
    }
  }
  return best;
}

/**
 * Returns the Damerau–Levenshtein distance: characters inserted, deleted, replaced or swapped with the next.
 * Undefined if it is more than `allowed`.
 */
function editsWithin(allowed: number, a: string, b: string): number | undefined {
  let [before, last, row] = rows;
  for (let j = 0; j <= b.length; j += 1) {
    last[j] = j;
  }
  let fewestOfLast = 0;
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i;
    let fewest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, at(before, j - 2) + 1);
      }
      row[j] = edits;
      fewest = Math.min(fewest, edits);
    }
    // A swap continues from the row before the last.
    if (Math.min(fewest, fewestOfLast) > allowed) {
      return undefined;
    }
    fewestOfLast = fewest;
    [before, last, row] = [last, row, before];
  }
  const edits = at(last, b.length);
  return edits <= allowed ? edits : undefined;
}

/** Reused by each comparison. A name that is twice as long is not similar. */
const rows = [0, 1, 2].map(() => new Uint8Array(2 * LENGTH_MAX)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

const at = (row: Uint8Array, index: number): number => row[index] as number;
