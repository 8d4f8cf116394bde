import { describe, expect, test } from 'vitest';
import { markupOf } from '#lib/html.ts';
import { errorSummary, errorText, languagesOf, seeOther } from '#lib/page-parts.ts';

describe('the language of a page', () => {
  const languageOf = languagesOf({ en: 'English', de: 'German' });

  test.each(['de', 'de-AT', 'DE', 'deu'])('%s is German, with its own dates', (locale) => {
    expect(languageOf(locale)).toEqual({ locale, messages: 'German' });
  });

  test.each(['fr', 'den', 'de_DE', 'constructor', ''])(
    '%j is English, with British dates',
    (locale) => {
      expect(languageOf(locale)).toEqual({ locale: 'en-GB', messages: 'English' });
    },
  );
});

describe('an error page', () => {
  const MESSAGES = {
    notFound: 'gone',
    notFoundLead: 'gone lead',
    tooMany: 'many',
    tooManyLead: 'many lead',
    badRequest: 'bad',
    badRequestLead: 'bad lead',
    unavailable: 'down',
    unavailableLead: 'down lead',
  };

  test.each([
    [404, 'gone'],
    [429, 'many'],
    [500, 'down'],
    [503, 'down'],
    [400, 'bad'],
    [415, 'bad'],
  ])('of status %i says %j', (status, title) => {
    expect(errorText(status, MESSAGES)).toEqual({ title, lead: `${title} lead` });
  });

  test('of status 415 says that files are refused, if the page has a text for it', () => {
    const messages = { ...MESSAGES, noFiles: 'files', noFilesLead: 'files lead' };
    expect(errorText(415, messages)).toEqual({ title: 'files', lead: 'files lead' });
  });
});

describe('the summary above a refused form', () => {
  test('links to each wrong field and escapes its label', () => {
    const markup = markupOf(errorSummary('Check', [{ id: 'a', label: '<b>', error: 'Missing' }]));
    expect(markup).toContain('<li><a href="#a">&lt;b&gt;</a>: Missing</li>');
  });

  test('has no list without wrong fields', () => {
    expect(markupOf(errorSummary('Check', []))).not.toContain('<ul>');
  });
});

test('the redirect after a form is 303 with the headers of the page', () => {
  expect(seeOther('/next', { 'cache-control': 'no-store' })).toMatchObject({
    status: 303,
    document: { headers: { 'cache-control': 'no-store', location: '/next' } },
  });
});
