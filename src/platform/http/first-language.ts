/** As the British write dates. */
const BRITISH = 'en-GB';

/** The language that a browser asks for before all others, as BCP 47; English where it says none. */
export function firstLanguage(accepted = ''): string {
  return /^\s*([a-z]{2,3}(?:-[a-z\d]{1,8}){0,4})\s*(?:[,;]|$)/i.exec(accepted)?.[1] ?? BRITISH;
}
