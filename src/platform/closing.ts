/** A data-changing statement with its values, waiting for the end of a Work. */
export interface Write {
  readonly text: string;
  readonly values: readonly unknown[];
}

const merged = new Map<string, string>();
const MERGED_MAX = 500;

/**
 * Joins writes into one statement, so that a change costs one round trip and is atomic without
 * BEGIN and COMMIT. Each write sees the tables as they were before all of them.
 */
export function joinWrites(writes: readonly Write[]): Write {
  const key = writes.map(({ text }) => text).join('\0');
  let text = merged.get(key);
  if (text === undefined) {
    text = mergeTexts(writes);
    if (merged.size < MERGED_MAX) {
      merged.set(key, text);
    }
  }
  return { text, values: writes.flatMap(({ values }) => values) };
}

function mergeTexts(writes: readonly Write[]): string {
  let shift = 0;
  const parts = writes.map(({ text, values }, index) => {
    const by = shift;
    shift += values.length;
    return `w${index} as (${text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`)})`;
  });
  // PostgreSQL skips a plain select that nothing refers to; inserts, updates and deletes always run.
  const selects = writes.flatMap(({ text }, index) =>
    /^\s*select\b/i.test(text) ? [`(select count(*) from w${index})`] : [],
  );
  return `with ${parts.join(', ')} select ${selects.join(', ') || '1'}`;
}
