type Value = string | number | boolean | readonly string[] | undefined;

/** Returns `?a=1&tags=a%2Cb` without undefined values; empty if there are none. */
export function queryText(query: object = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Readonly<Record<string, Value>>)) {
    if (value !== undefined) {
      given.set(name, String(value));
    }
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}
