/** Leaves room for a number, below the limit of 64. */
const LENGTH_MAX = 56;

/** Returns a key of the manifest that is made of a name and not taken yet: `Füße` gives `fusse`. */
export function keyFrom(name: string, taken: ReadonlySet<unknown>): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.replaceAll('ß', 'ss').replaceAll(/[^a-z0-9]+/g, '-');
  const key = words.slice(0, LENGTH_MAX).replaceAll(/^-+|-+$/g, '') || 'entry';
  const numbered = Array.from({ length: taken.size + 1 }, (_, index) => `${key}-${index + 2}`);
  return [key, ...numbered].find((one) => !taken.has(one)) ?? key;
}
