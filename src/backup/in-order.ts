/** Sorts tables so that each comes after those that it refers to; throws where that cannot be. */
export function inOrder<T extends { readonly table: string }>(
  tables: readonly T[],
  references: readonly { readonly from: string; readonly to: string }[],
): T[] {
  const sorted: T[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = new Set(left.map(({ table }) => table));
    const waits = new Set(references.filter(({ to }) => names.has(to)).map(({ from }) => from));
    const ready = left.filter(({ table }) => !waits.has(table));
    if (ready.length === 0) {
      throw new Error(`tables refer to each other in a circle: ${[...names].join(', ')}`);
    }
    sorted.push(...ready);
    left = left.filter(({ table }) => waits.has(table));
  }
  return sorted;
}
