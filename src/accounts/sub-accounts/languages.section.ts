import { Type, type TSchema } from 'typebox';
import { request } from '#core/schema/schema.ts';
import { defineSection, type EntryIssue, type Section } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import {
  COUNT,
  placeholdersIn,
  type AddedLanguages,
  type Catalogue,
  type PluralForms,
  type Text,
  type Texts,
  type ValueNames,
} from '#lib/translate.ts';
import { SubAccount } from './sub-account.entity.ts';

const TEXT_MAX = 1_000;
/** `nl`, `pt-BR`, `zh-Hant-TW`. */
const TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;

/** The texts of every kind of customer page: booking, forms, preferences, chat. */
export type Catalogues = Readonly<Record<string, Catalogue>>;

type Language = AddedLanguages[string];
type Row = readonly [tag: string, language: Language];

/** Returns the section with the texts that a sub-account adds; the catalogues name all texts there are. */
export const languagesSection = (catalogues: Catalogues): Section =>
  defineSection({
    name: 'languages',
    summary:
      'Texts of customer pages and mails, by language tag. Add a language, or replace texts of the built-in English, German, French and Spanish.',
    match: 'member',
    schema: Type.Unsafe<Language>(
      request(
        Object.fromEntries(
          Object.entries(catalogues).map(([kind, catalogue]) => [
            kind,
            Type.Optional(textsSchema(catalogue)),
          ]),
        ),
      ),
    ),
    check: (language, tag) => [...tagIssues(tag), ...languageIssues(language, catalogues, tag)],
    complete: (given): Language => given,
    async load(work): Promise<Row[]> {
      const { languages } = await loadLanguages(work);
      return Object.entries(languages).sort(([a], [b]) => (a < b ? -1 : 1));
    },
    keyOf: ([tag]: Row) => tag,
    valueOf: ([, language]) => language,
    async create(work, language, tag): Promise<Row> {
      await change(work, (languages) => languages.set(tag, language));
      return [tag, language];
    },
    update: (work, [tag], language) => change(work, (languages) => languages.set(tag, language)),
    remove: (work, [tag]) => change(work, (languages) => languages.delete(tag)),
  });

const loadLanguages = ({ em, subAccountId }: Work): Promise<SubAccount> =>
  em.findOneOrFail(SubAccount, subAccountId, { populate: ['languages'] });

async function change(work: Work, edit: (languages: Map<string, Language>) => void): Promise<void> {
  const subAccount = await loadLanguages(work);
  const languages = new Map(Object.entries(subAccount.languages));
  edit(languages);
  subAccount.languages = Object.fromEntries(languages);
  subAccount.updatedAt = work.now;
}

/** Returns the schema of one kind of page. The description of each text is the English one. */
function textsSchema({ english, values }: Catalogue): TSchema {
  const members = Object.entries(english).map(([key, message]) => [
    key,
    Type.Optional(
      typeof message === 'object' && message !== null
        ? textsSchema({ english: message as Catalogue['english'], values: {} })
        : textSchema(englishOf(message, values[key]), hasForms(key, values)),
    ),
  ]);
  return request(Object.fromEntries(members));
}

const hasForms = (key: string, values: ValueNames): boolean =>
  values[key]?.includes(COUNT) === true;

const form = Type.String({ minLength: 1, maxLength: TEXT_MAX });

function textSchema(english: string, isCounted: boolean): TSchema {
  const description = `English: ${english}`;
  if (!isCounted) {
    return Type.String({ minLength: 1, maxLength: TEXT_MAX, description });
  }
  const optional = Type.Optional(form);
  const forms = request({
    zero: optional,
    one: optional,
    two: optional,
    few: optional,
    many: optional,
    other: form,
  });
  return Type.Union([form, forms], { description });
}

/** Returns the English text with its placeholders. */
function englishOf(message: unknown, names: readonly string[] = []): string {
  if (typeof message !== 'function') {
    return String(message);
  }
  const placeholders = names.map((name) => `{${name}}`);
  const record = Object.fromEntries(names.map((name, index) => [name, placeholders[index]]));
  // A text of several values may take them as a record.
  return String(message.length < names.length ? message(record) : message(...placeholders));
}

const tagIssues = (tag: string): EntryIssue[] =>
  TAG.test(tag) && Intl.getCanonicalLocales(tag)[0] === tag
    ? []
    : [{ path: '', message: 'must have a language tag as its name, for example nl or pt-BR' }];

function languageIssues(language: Language, catalogues: Catalogues, tag: string): EntryIssue[] {
  return Object.entries(catalogues).flatMap(([kind, catalogue]) =>
    textsIssues(language[kind] ?? {}, catalogue, tag).map(({ path, message }) => ({
      path: `/${kind}${path}`,
      message,
    })),
  );
}

function textsIssues(texts: Texts, { english, values }: Catalogue, tag: string): EntryIssue[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const message = english[key];
    const issues =
      typeof message === 'object' && message !== null
        ? textsIssues(text as Texts, { english: message as Catalogue['english'], values: {} }, tag)
        : textIssues(text as Text, englishOf(message, values[key]), tag);
    return issues.map(({ path, message: found }) => ({ path: `/${key}${path}`, message: found }));
  });
}

function textIssues(text: Text, english: string, tag: string): EntryIssue[] {
  if (typeof text === 'string') {
    return placeholderIssues(text, english).map((message) => ({ path: '', message }));
  }
  return [
    ...formIssues(text, tag),
    ...Object.entries(text).flatMap(([category, one]) =>
      placeholderIssues(one, english, category !== 'other').map((message) => ({
        path: `/${category}`,
        message,
      })),
    ),
  ];
}

/** A form that the language does not have would never be shown. */
function formIssues(forms: PluralForms, tag: string): EntryIssue[] {
  if (tagIssues(tag).length > 0) {
    return [];
  }
  const known: readonly string[] = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
  return Object.keys(forms)
    .filter((category) => !known.includes(category))
    .map((category) => ({
      path: `/${category}`,
      message: `is not a plural form of ${tag}; its forms: ${known.join(', ')}`,
    }));
}

/** A form for one number may say it in words: "one minute". */
function placeholderIssues(text: string, english: string, isCountOptional = false): string[] {
  const given = placeholdersIn(text);
  const known = placeholdersIn(english);
  const missing = known.filter(
    (name) => !given.includes(name) && !(isCountOptional && name === COUNT),
  );
  const unknown = given.filter((name) => !known.includes(name));
  return [
    ...missing.map((name) => `must contain {${name}}`),
    ...unknown.map((name) =>
      known.length === 0
        ? `must not contain {${name}}: this text has no placeholders`
        : `must not contain {${name}}; its placeholders: ${known.map((one) => `{${one}}`).join(', ')}`,
    ),
  ];
}
