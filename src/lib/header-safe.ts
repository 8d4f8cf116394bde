/** Without the characters that no header can hold: with them a call fails however often it is made. */
export const headerSafe = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
