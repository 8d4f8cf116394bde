interface Forms {
  readonly one: string;
  readonly other: string;
}

/** Returns a function that picks the form of a count; `#` in it becomes the number. */
export function pluralIn(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (count, { one, other }) =>
    (rules.select(count) === 'one' ? one : other).replace('#', numbers.format(count));
}

/** Returns what moves along in a merge, without the kinds that have nothing; '' without any. */
export function moved(
  lead: string,
  counts: readonly (readonly [count: number, text: string])[],
): string {
  const some = counts.filter(([count]) => count > 0);
  return some.length === 0 ? '' : `${lead}${some.map(([, text]) => text).join(', ')}.`;
}
