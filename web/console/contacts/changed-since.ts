/** Returns the values of a form that are no longer those that were saved. */
export const changedSince = <V extends Readonly<Record<string, unknown>>>(
  saved: V,
  now: V,
): Partial<V> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== saved[name]),
  ) as Partial<V>;
