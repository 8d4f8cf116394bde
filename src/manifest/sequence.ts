/** The named keys that do not stand in the order in which they are named. */
export function movedAmong(stored: readonly string[], named: readonly string[]): Set<string> {
  const { kept, wanted } = commonTo(stored, named);
  return new Set(wanted.filter((key, index) => kept[index] !== key));
}

/**
 * All keys, the named ones in the order in which they are named. A key that is not named keeps its
 * place among the stored ones, and a new key comes right after the one it is named after.
 */
export function sequenceOf(stored: readonly string[], named: readonly string[]): string[] {
  const { kept, wanted } = commonTo(stored, named);
  const takesPlaceOf = new Map(kept.map((key, index) => [key, wanted[index] ?? key]));
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

/** Where the first of the named keys stands; the end where none does. */
function firstNamed(sequence: readonly string[], named: readonly string[]): number {
  const at = sequence.findIndex((key) => named.includes(key));
  return at < 0 ? sequence.length : at;
}

function commonTo(stored: readonly string[], named: readonly string[]) {
  const isStored = new Set(stored);
  const isNamed = new Set(named);
  return {
    kept: stored.filter((key) => isNamed.has(key)),
    wanted: named.filter((key) => isStored.has(key)),
  };
}
