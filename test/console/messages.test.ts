import { expect, test } from 'vitest';
import { deHooks } from '../../web/console/i18n/de/hooks.ts';
import { deMessages } from '../../web/console/i18n/de/de.ts';
import { enHooks } from '../../web/console/i18n/en/hooks.ts';
import { enMessages } from '../../web/console/i18n/en/en.ts';
import { esHooks } from '../../web/console/i18n/es/hooks.ts';
import { esMessages } from '../../web/console/i18n/es/es.ts';
import { frHooks } from '../../web/console/i18n/fr/hooks.ts';
import { frMessages } from '../../web/console/i18n/fr/fr.ts';

/** The texts of the page Webhooks are loaded with it. */
const en = { ...enMessages, ...enHooks };
const de = { ...deMessages, ...deHooks };
const fr = { ...frMessages, ...frHooks };
const es = { ...esMessages, ...esHooks };

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
  de: 'Admin Agenda Agent Board Chat Code Deal Deals Desktop Details Filter Gmail Google Import Instagram Integrator Manifest Messenger Meta Name Passkeys Pipeline Port Sandbox Server Status System Team Text Twilio Webhooks Workflow',
  fr: 'Action Actions Active Admin Agenda Agent Audience Chat Code Condition Confirmation Contact Contacts Conversation Conversations Description Gmail Google Import Instagram Message Messages Messenger Meta Moment Note Notes Pipeline Port Score Secret Twilio Webhooks Workflow',
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
