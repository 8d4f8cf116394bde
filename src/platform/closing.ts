/** A data-changing statement with its values, waiting for the end of a Work. */
export interface Write {
  readonly text: string;
  readonly values: readonly unknown[];
}

const merged = new Map<string, string>();
const MERGED_MAX = 500;

/**
 * Joins writes into one statement, so that a change costs one round trip and is atomic without
 * BEGIN and COMMIT. Each write sees the tables as they were before all of them. Answers the columns
 * that the wanted ones, which return a row each, return.
 */
export function joinWrites(writes: readonly Write[], wanted: readonly Write[] = []): Write {
  const key = writes.map((write) => (wanted.includes(write) ? '+' : '') + write.text).join('\0');
  let text = merged.get(key);
  if (text === undefined) {
    text = mergeTexts(writes, wanted);
    if (merged.size < MERGED_MAX) {
      merged.set(key, text);
    }
  }
  return { text, values: writes.flatMap(({ values }) => values) };
}

function mergeTexts(writes: readonly Write[], wanted: readonly Write[]): string {
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
  const returning = wanted.map((write) => `w${writes.indexOf(write)}`);
  const columns = [...returning.map((name) => `${name}.*`), ...selects].join(', ');
  const from = returning.length > 0 ? ` from ${returning.join(', ')}` : '';
  return `with ${parts.join(', ')} select ${columns || '1'}${from}`;
}
