export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An SQL expression for `2026-01-31T09:00:00.000Z`, the format of `Date.prototype.toISOString`. */
export const isoText = (expression: string): string =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** An SQL expression for a time in epoch milliseconds. */
export const epochColumn = (expression: string): string =>
  `(extract(epoch from ${expression}) * 1000)::int8`;

/** `insert into table (columns of members) values ($1, …)`. */
export const insertInto = (table: string, members: readonly string[]): string =>
  `insert into ${table} (${members.map(snakeCase).join(', ')})
   values (${members.map((_, index) => `$${index + 1}`).join(', ')})`;
