import { firstLanguage } from '#platform/http/app.ts';
import { expect, test } from '../../support/service.ts';

test.for([
  ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
  [' fr ; q=1', 'fr'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
  ['*', 'en-GB'],
  ['', 'en-GB'],
  [undefined, 'en-GB'],
  ['"><script>', 'en-GB'],
  ['de"onload=x', 'en-GB'],
  ['x'.repeat(10_000), 'en-GB'],
] as const)('Accept-Language %j means %s', ([accepted, locale]) => {
  expect(firstLanguage(accepted)).toBe(locale);
});

test.for([
  ['de-AT,en;q=0.5', 'Diese Seite gibt es nicht'],
  ['fr-CA', 'Cette page n’existe pas'],
  ['es-MX', 'Esta página no existe'],
  ['ja', 'This page does not exist'],
] as const)(
  'a missing page says so in the language of Accept-Language %s',
  async ([accepted, title], { service }) => {
    const unknown = crypto.randomUUID();
    for (const path of [
      `/book/${unknown}`,
      `/book/${unknown}/check-up`,
      `/f/${unknown}`,
      '/u/unknown',
    ]) {
      const answer = await fetch(service.url + path, { headers: { 'accept-language': accepted } });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain(title);
    }
  },
);

test('the page of an unknown path has the icon of the server', async ({ service }) => {
  const answer = await fetch(`${service.url}/nowhere`, { headers: { accept: 'text/html' } });
  expect(await answer.text()).toContain('<link rel="icon" href="/favicon.ico" />');
});
