/** Text as PostgreSQL can keep it: others may send anything. */
export const stripInvalidText = (text: string): string => text.replaceAll('\0', '').toWellFormed();
