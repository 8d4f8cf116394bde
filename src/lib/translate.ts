/** A text with placeholders such as `{count}`. A text that counts may have one form per plural category. */
export type Text = string | PluralForms;

/** The forms of a text by plural category of the language; `other` is used for the rest. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** Texts by key, as a manifest has them. Groups of texts are nested. */
export interface Texts {
  readonly [key: string]: Text | Texts;
}

/** The texts that a sub-account added, by language tag and by kind of page. */
export type AddedLanguages = Readonly<Record<string, Readonly<Record<string, Texts>>>>;

/** The names of the values in a text that is a function, in the order of its arguments. */
export type ValueNames = Readonly<Record<string, readonly string[]>>;

/** The texts of one kind of page, from which the manifest's schema derives. */
export interface Catalogue {
  readonly english: Readonly<Record<string, unknown>>;
  readonly values: ValueNames;
}

/** The value that selects a plural form. */
export const COUNT = 'count';

const PLACEHOLDER = /\{(\w+)\}/g;

export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** Returns `messages` with the given texts in the place of its own. */
export function translate<M extends object>(
  messages: M,
  texts: Texts,
  { values = {}, tag }: { readonly values?: ValueNames; readonly tag: string },
): M {
  const own = Object.entries(messages).map(([key, message]) => {
    const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
    if (text === undefined) {
      return [key, message] as const;
    }
    if (typeof message === 'function') {
      return [key, fillerOf(text as Text, values[key] ?? [], tag)] as const;
    }
    return [key, typeof message === 'string' ? text : translate(message, text as Texts, { tag })];
  });
  return Object.fromEntries(own) as M;
}

/** Returns the function that fills a text with its arguments: values, or one record of them. */
function fillerOf(text: Text, names: readonly string[], tag: string) {
  const rules = new Intl.PluralRules(tag);
  return (...given: readonly unknown[]): string => {
    const [first] = given;
    const values =
      typeof first === 'object' && first !== null
        ? new Map(Object.entries(first))
        : new Map(names.map((name, index) => [name, given[index]]));
    const form =
      typeof text === 'string'
        ? text
        : (text[rules.select(Number(values.get(COUNT)))] ?? text.other);
    return form.replaceAll(PLACEHOLDER, (whole, name: string) => String(values.get(name) ?? whole));
  };
}

/** Returns the added texts for a locale, the most specific last: of `pt` before those of `pt-BR`. */
export function addedFor(locale: string, kind: string, added: AddedLanguages): readonly Texts[] {
  const { language, baseName } = new Intl.Locale(locale);
  return [...new Set([language, baseName])].flatMap((tag) => {
    const texts = Object.hasOwn(added, tag) ? added[tag]?.[kind] : undefined;
    return texts ? [texts] : [];
  });
}
