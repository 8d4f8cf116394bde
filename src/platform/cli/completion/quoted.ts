/** In single quotes, for every shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
