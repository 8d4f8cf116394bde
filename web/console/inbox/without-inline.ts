/**
 * Renames base and style elements, style attributes and handlers: the policy blocks them in parsed documents too,
 * and the browser would report each. What this misses is removed after parsing. A tag ends at the next
 * `<`, so that a mail of nothing but open tags is read once.
 */
export const withoutInline = (html: string): string =>
  html
    .replaceAll(/<(\/?)style\b/gi, '<$1x-style')
    // As empty as a base, and without effect.
    .replaceAll(/<(\/?)base\b/gi, '<$1basefont')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replaceAll(/([\s"'/])(style|on[a-z]+)(\s*=)/gi, '$1data-$2$3'),
    );

/**
 * Returns whether a declaration of a mail's style loads nothing, and covers nothing but the mail. Escapes
 * and variables could hide an address.
 */
export const isHarmless = (name: string, value: string): boolean =>
  !name.startsWith('--') && !/url|image|fixed|\\/i.test(value);
