/** Returns the named keys that are not stored in the order of the names. */
export function movedAmong(stored: readonly string[], named: readonly string[]): Set<string> {
  const { kept, target } = commonTo(stored, named);
  return new Set(target.filter((key, index) => kept[index] !== key));
}

/**
 * Returns all keys, the named ones in the order of the names. Other stored keys keep their places, and a
 * new key follows the one before it in the names.
 */
export function sequenceOf(stored: readonly string[], named: readonly string[]): string[] {
  const { kept, target } = commonTo(stored, named);
  const takesPlaceOf = new Map(kept.map((key, index) => [key, target[index] ?? key]));
  const sequence = stored.map((key) => takesPlaceOf.get(key) ?? key);
  named.forEach((key, index) => {
    if (!sequence.includes(key)) {
      const before = named[index - 1];
      const at = before === undefined ? -1 : sequence.indexOf(before);
      sequence.splice(index === 0 ? firstNamed(sequence, named) : at + 1, 0, key);
    }
  });
  return sequence;
}

/** Returns the index of the first named key; the end if there is none. */
function firstNamed(sequence: readonly string[], named: readonly string[]): number {
  const at = sequence.findIndex((key) => named.includes(key));
  return at < 0 ? sequence.length : at;
}

function commonTo(stored: readonly string[], named: readonly string[]) {
  const isStored = new Set(stored);
  const isNamed = new Set(named);
  return {
    kept: stored.filter((key) => isNamed.has(key)),
    target: named.filter((key) => isStored.has(key)),
  };
}
