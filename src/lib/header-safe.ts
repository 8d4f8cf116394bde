/** Removes characters that headers cannot contain: the request would fail at every attempt. */
export const headerSafe = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
