import { currentLocale, LOCALES } from './locale.ts';

/** Dates of American and British English differ in their order. */
const TAGS = LOCALES.flatMap((id) => (id === 'en' ? ['en-GB', 'en-US'] : [id]));

/** Returns the languages of customer pages. The stored tag, such as `de-AT`, stands for its language. */
export function languagesWith(stored: string) {
  const names = new Intl.DisplayNames(currentLocale(), { type: 'language' });
  const tags = TAGS.map((id) => (stored.split('-')[0] === id ? stored : id));
  return [...new Set([...tags, ...(stored === '' ? [] : [stored])])].map((id) => ({
    id,
    label: names.of(id) ?? id,
  }));
}
