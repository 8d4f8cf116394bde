/** A field that people do not see: whoever fills it in is a robot (contract 8). */
export const HONEYPOT = 'website';

/** Anything but nothing. */
export const isCaught = (fields: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(fields, HONEYPOT) && ![undefined, null, '', false].includes(fields[HONEYPOT] as '');
