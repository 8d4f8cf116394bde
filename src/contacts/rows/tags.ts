/** The wanted tags, each once whatever its case, in the spelling that was stored first. */
export function dedupeTags(stored: readonly string[], wanted: readonly string[]): string[] {
  const spelling = new Map(stored.map((tag) => [tag.toLowerCase(), tag]));
  const kept = new Map<string, string>();
  for (const given of wanted) {
    const tag = given.trim();
    const key = tag.toLowerCase();
    if (!kept.has(key)) {
      kept.set(key, spelling.get(key) ?? tag);
    }
  }
  return [...kept.values()];
}

/** Tags that `now` has and `before` had in no spelling. */
export function addedTags(before: readonly string[], now: readonly string[]): string[] {
  const had = new Set(before.map((tag) => tag.toLowerCase()));
  return now.filter((tag) => !had.has(tag.toLowerCase()));
}
