/** Fewer edits than this share of a word make two words similar. */
const EDITS_SHARE = 0.4;
/** Longer words match no name, and the comparison takes quadratic time. */
const LENGTH_MAX = 100;

/** Returns `; did you mean "…"?` with the most similar name, or an empty text. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const best = mostSimilar(given, names);
  return best === undefined ? '' : `; did you mean ${JSON.stringify(best)}?`;
}

/** Returns the most similar name; undefined if none is similar. */
export function mostSimilar(given: string, names: Iterable<string>): string | undefined {
  if (given.length > LENGTH_MAX) {
    return undefined;
  }
  let best: string | undefined;
  let fewest = Infinity;
  for (const name of names) {
    const allowed = Math.max(given.length, name.length) * EDITS_SHARE;
    // Each character that one of them is longer by is an edit.
    if (Math.abs(given.length - name.length) > allowed) {
      continue;
    }
    const edits = editsBetween(given.toLowerCase(), name.toLowerCase());
    if (edits < fewest && edits <= allowed) {
      best = name;
      fewest = edits;
    }
  }
  return best;
}

/** Damerau–Levenshtein distance: characters inserted, deleted, replaced or swapped with the next. */
function editsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const at = (up: number, left: number) => rows[i - up]?.[j - left] ?? 0;
      row[j] = Math.min(at(1, 0) + 1, (row[j - 1] ?? 0) + 1, at(1, 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j] ?? 0, at(2, 2) + 1);
      }
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
