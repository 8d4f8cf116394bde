/** Replaces what was erased inside texts that stay. */
export const ERASED = '[erased]';

const PHONE = /^\+\d+$/;
/** What people write between the digits of a phone number. */
const BETWEEN_DIGITS = '[ ()./-]*';

/** The most addresses in a pattern: PostgreSQL compiles 50 in 20 ms, but 1,000 in 13 s. */
export const PATTERN_MAX = 50;

/**
 * Returns regular expressions of PostgreSQL that find these addresses in texts. They find no longer
 * address that contains one: `ada@example.com` is no part of `hada@example.com`.
 */
export const addressPatterns = (addresses: readonly string[]): string[] =>
  joined(
    addresses.map((address) =>
      PHONE.test(address)
        ? `(?<![[:digit:]])${address.split('').map(escaped).join(BETWEEN_DIGITS)}(?![[:digit:]])`
        : `(?<![[:alnum:]._%+-])${escaped(address)}(?![[:alnum:]-])(?!\\.[[:alnum:]])`,
    ),
  );

/** Returns patterns of the full names, which are looked for in queued mails only. */
export const namePatterns = (names: readonly string[]): string[] =>
  joined(fullNames(names).map((name) => `(?<![[:alnum:]])${escaped(name)}(?![[:alnum:]])`));

/** Returns the names of several words, each once. */
export const fullNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim()))].filter((name) => /\s/.test(name));

const joined = (parts: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(parts.length / PATTERN_MAX) }, (_, index) =>
    parts.slice(index * PATTERN_MAX, (index + 1) * PATTERN_MAX).join('|'),
  );

/** A backslash before a letter or digit would have a meaning of its own. */
const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`);
