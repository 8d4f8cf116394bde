import { currentLocale, LOCALES, messagesOf, type Locale } from '../../i18n/locale.ts';
import type { Messages } from '../../i18n/message-types.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { textOf, type Entry, type EntryField, type EntryList } from './entry.ts';
import { keyFrom } from './key-from.ts';
import { sectionMessages } from './section-messages.ts';
import { useSection } from './section-queries.ts';

const TYPES = [
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'select',
  'checkbox',
  'date',
  'url',
  'file',
] as const;

/**
 * Loads what a new form begins with: the fields that most forms have, in the language of the customers,
 * or in the language of the console if the texts cannot be loaded.
 */
export function useFreshForm(): () => Promise<Entry> {
  const locale = useCustomerLocale();
  const own = useMessages();
  return () =>
    messagesOf(locale).then(
      (messages) => freshForm(messages, locale),
      () => freshForm(own, currentLocale()),
    );
}

function freshForm({ contacts }: Messages, locale: Locale): Entry {
  const fields = [
    { label: contacts.firstName, type: 'text', mapsTo: 'firstName', required: true },
    { label: contacts.lastName, type: 'text', mapsTo: 'lastName' },
    { label: contacts.email, type: 'email', mapsTo: 'email', required: true },
    { label: contacts.phone, type: 'phone', mapsTo: 'phone' },
    { label: sectionMessages(locale).message, type: 'textarea' },
  ];
  return { fields };
}

/** Returns the language of the sub-account; that of the console if it has no texts in it. */
function useCustomerLocale(): Locale {
  const { entries } = useSection('subAccount');
  const language = textOf(entries?.[0]?.['locale']).split('-')[0];
  return LOCALES.find((one) => one === language) ?? currentLocale();
}

/** Returns the fields of contacts that an answer may be written to. */
function useTargets() {
  const { contacts } = useMessages();
  const texts = sectionMessages();
  const { entries: customFields = [] } = useSection('customFields');
  return [
    { id: '', label: texts.submissionOnly },
    { id: 'firstName', label: contacts.firstName },
    { id: 'lastName', label: contacts.lastName },
    { id: 'email', label: contacts.email },
    { id: 'phone', label: contacts.phone },
    { id: 'company', label: contacts.company },
    { id: 'title', label: contacts.jobTitle },
    { id: 'city', label: contacts.city },
    { id: 'country', label: contacts.country },
    { id: 'source', label: contacts.source },
    { id: 'tags', label: contacts.tags },
    ...customFields.map(({ name, label }) => ({
      id: `customFields.${textOf(name)}`,
      label: texts.custom(textOf(label) || textOf(name)),
    })),
  ];
}

/** The fields that visitors fill in. */
function useQuestions(): EntryList {
  const texts = sectionMessages();
  const targets = useTargets();
  return {
    add: texts.addField,
    empty: texts.noFields,
    nameOf: ({ label }) => textOf(label),
    removeText: texts.removeField,
    fresh: () => ({ type: 'text' }),
    summaryOf: ({ type, required }) =>
      [
        texts.types[TYPES.find((one) => one === type) ?? 'text'],
        ...(required === true ? [texts.required] : []),
      ].join(' · '),
    fields: [
      { path: 'label', label: texts.label, kind: 'text', isRequired: true },
      {
        path: 'type',
        label: texts.type,
        kind: 'choice',
        choices: TYPES.map((id) => ({ id, label: texts.types[id] })),
      },
      {
        path: 'options',
        label: texts.options,
        kind: 'options',
        isRequired: true,
        isShown: ({ type }) => type === 'select',
      },
      {
        path: 'mapsTo',
        label: texts.mapsTo,
        kind: 'choice',
        choices: targets,
        isShown: ({ type }) => type !== 'file' && type !== 'checkbox',
      },
      { path: 'required', label: texts.required, kind: 'switch' },
    ],
  };
}

/** The fields of a public form. */
export function useFormFields(): readonly EntryField[] {
  const { forms, settings } = useMessages();
  const texts = sectionMessages();
  return [
    { path: 'name', label: settings.name, kind: 'text', isRequired: true },
    { path: 'fields', label: texts.fields, kind: 'list', list: useQuestions() },
    { path: 'message', label: forms.thanks, kind: 'long' },
    {
      path: 'redirectUrl',
      label: forms.redirect,
      kind: 'text',
      description: texts.redirectHint,
    },
    { path: 'captcha', label: forms.captcha, kind: 'switch' },
  ];
}

export const questionsOf = (form: Entry): readonly Entry[] =>
  Array.isArray(form['fields']) ? (form['fields'] as readonly Entry[]) : [];

/** Gives new fields names, under which submissions have their values. */
export function withFieldNames(form: Entry): Entry {
  const taken = new Set(questionsOf(form).map(({ name }) => name));
  const fields = questionsOf(form).map((field) => {
    if (field['name'] !== undefined) {
      return field;
    }
    const name = keyFrom(textOf(field['mapsTo']) || textOf(field['label']), taken);
    taken.add(name);
    return { name, ...field };
  });
  return { ...form, fields };
}
