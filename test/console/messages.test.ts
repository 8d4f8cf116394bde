import { expect, test } from 'vitest';
import { deMessages as de } from '../../web/console/i18n/de/de.ts';
import { enMessages as en } from '../../web/console/i18n/en/en.ts';
import { esMessages as es } from '../../web/console/i18n/es/es.ts';
import { frMessages as fr } from '../../web/console/i18n/fr/fr.ts';

/** Texts with their paths. Functions, such as plurals, are left out. */
function textsOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') {
    return [[path, value]];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, next]) => textsOf(next, `${path}.${name}`))
    : [];
}

/** Names of products and protocols, and what a language writes as English does. */
const SAME = {
  de: 'Admin Agenda Agent Board Chat Deal Deals Desktop Details Filter Gmail Google Import Instagram Integrator Manifest Messenger Meta Name Passkeys Pipeline Port Sandbox Server Status System Team Text Twilio Webhooks',
  fr: 'Action Actions Active Admin Agenda Agent Audience Chat Condition Confirmation Contact Contacts Conversations Description Gmail Google Import Instagram Message Messages Messenger Meta Moment Note Notes Pipeline Port Score Secret Twilio Webhooks',
  es: 'Admin Agenda Chat Color Error Gmail Google Instagram Messenger Meta Twilio Webhooks',
};

const english = new Map(textsOf(en));

test.each([
  ['de', de],
  ['fr', fr],
  ['es', es],
] as const)('every text is translated to %s', (language, messages) => {
  const same = new Set(SAME[language].split(' '));
  const untranslated = textsOf(messages).filter(
    ([path, text]) => english.get(path) === text && /[a-z]{3}/.test(text) && !same.has(text),
  );
  expect(untranslated).toEqual([]);
});

test.each([
  ['en', en],
  ['de', de],
  ['fr', fr],
  ['es', es],
] as const)('pages have their names of the navigation as titles in %s', (_language, messages) => {
  const { nav, webhooks, campaigns, workflows, contacts, inbox, settings } = messages;
  const pages = { webhooks, campaigns, workflows, contacts, inbox, settings };
  const titles = Object.entries(pages).map(([id, { title }]) => [id, title]);
  expect(titles).toEqual(Object.keys(pages).map((id) => [id, nav[id as keyof typeof pages]]));
});
