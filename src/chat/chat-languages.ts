import type { AddedLanguages, PluralForms, Text, Texts } from '#lib/translate.ts';
import { values as valueNames } from './chat-texts.ts';

/** Texts of the widget by language tag and key. Placeholders are the numbers of a text's values: `{0}`. */
export type ChatLanguages = Readonly<Record<string, Readonly<Record<string, Text>>>>;

/** Returns the widget's texts of a sub-account's languages, with numbers instead of names. */
export function languagesIn(added: AddedLanguages): ChatLanguages {
  const chats = Object.entries(added).flatMap(([tag, { chat }]) =>
    chat ? [[tag, numbered(chat)] as const] : [],
  );
  return Object.fromEntries(chats);
}

const numbered = (texts: Texts): Record<string, Text> =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const names: readonly string[] =
        Object.entries(valueNames).find(([one]) => one === key)?.[1] ?? [];
      return [key, withNumbers(text as Text, names)];
    }),
  );

function withNumbers(text: Text, names: readonly string[]): Text {
  const inForm = (form: string) =>
    names.reduce((before, name, at) => before.replaceAll(`{${name}}`, `{${at}}`), form);
  if (typeof text === 'string') {
    return inForm(text);
  }
  const forms = Object.entries(text).map(([category, form]) => [category, inForm(form)]);
  return Object.fromEntries(forms) as PluralForms;
}
