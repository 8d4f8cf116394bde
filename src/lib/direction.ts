const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Syrc', 'Thaa']);

/** Returns the direction of a language's script; of an invalid tag, from left to right. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
