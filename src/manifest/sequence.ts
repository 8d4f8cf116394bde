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
  const [first] = target;
  const { leading, following } = newAmong(named, new Set(kept));
  const takesPlaceOf = new Map(kept.map((key, index) => [key, target[index] ?? key]));
  const sequence = stored
    .map((key) => takesPlaceOf.get(key) ?? key)
    .flatMap((key) => [...(key === first ? leading : []), key, ...(following.get(key) ?? [])]);
  return first === undefined ? [...sequence, ...leading] : sequence;
}

/** Returns the new keys before all stored ones, and those that follow a stored one. */
function newAmong(named: readonly string[], isStored: ReadonlySet<string>) {
  const leading: string[] = [];
  const following = new Map<string, string[]>();
  let run = leading;
  for (const key of named) {
    if (isStored.has(key)) {
      run = [];
      following.set(key, run);
    } else {
      run.push(key);
    }
  }
  return { leading, following };
}

function commonTo(stored: readonly string[], named: readonly string[]) {
  const isStored = new Set(stored);
  const isNamed = new Set(named);
  return {
    kept: stored.filter((key) => isNamed.has(key)),
    target: named.filter((key) => isStored.has(key)),
  };
}
