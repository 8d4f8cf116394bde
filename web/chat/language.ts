/**
 * The page's language where it is one of `known`, else the first of the visitor's that is, else
 * English; with the region that the visitor's browser names for it.
 */
export function chooseLanguage(known: readonly string[]): string {
  const { languages } = navigator;
  const given = [document.documentElement.lang, ...languages].filter(isWellFormed);
  const chosen = given.find((one) => known.includes(baseOf(one))) ?? 'en';
  return languages.find((own) => baseOf(own) === baseOf(chosen)) ?? chosen;
}

const baseOf = (language: string): string => language.slice(0, 2).toLowerCase();

/** Anything may stand in a page's `lang`. */
function isWellFormed(language: string): boolean {
  try {
    return /^[a-z]{2}(-|$)/i.test(language) && Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}
