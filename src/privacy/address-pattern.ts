/** Replaces what was erased inside texts that stay. */
export const ERASED = '[erased]';

const PHONE = /^\+\d+$/;
/** What people write between the digits of a phone number. */
const BETWEEN_DIGITS = '[ ()./-]*';

/**
 * Returns a regular expression of PostgreSQL that finds these addresses in texts, or null for none. It
 * finds no longer address that contains one: `ada@example.com` is no part of `hada@example.com`.
 */
export function addressPattern(addresses: readonly string[]): string | null {
  const parts = addresses.map((address) =>
    PHONE.test(address)
      ? `(?<![[:digit:]])${address.split('').map(escaped).join(BETWEEN_DIGITS)}(?![[:digit:]])`
      : `(?<![[:alnum:]._%+-])${escaped(address)}(?![[:alnum:]-])(?!\\.[[:alnum:]])`,
  );
  return parts.length === 0 ? null : parts.join('|');
}

/** Returns a pattern of the full names, which are looked for in queued mails only. Null for none. */
export function namePattern(names: readonly string[]): string | null {
  const full = [...new Set(names.map((name) => name.trim()))].filter((name) => /\s/.test(name));
  const parts = full.map((name) => `(?<![[:alnum:]])${escaped(name)}(?![[:alnum:]])`);
  return parts.length === 0 ? null : parts.join('|');
}

/** A backslash before a letter or digit would have a meaning of its own. */
const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`);
