import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { newId } from '#lib/id.ts';
import { at, calendarOf } from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test } from '../../support/service.ts';
import { setUpForm } from '../../forms/forms.support.ts';
import { GRACE, managed, open, openForm, pageOf, send } from './page.support.ts';

const { languages } = parse(
  readFileSync(new URL('../../../config/dutch.example.yaml', import.meta.url), 'utf8'),
);
const DUTCH = { subAccount: { locale: 'nl-NL' }, languages };

describe('an added language', () => {
  test('is that of the booking pages, with its dates', async ({ service }) => {
    await apply(service, DUTCH);
    await calendarOf(service);
    const { text } = await open(service, `${pageOf(service)}?tz=UTC`);
    expect(text).toMatch(/<html lang="nl-NL"/);
    expect(text).toContain('<title>Boeken: Check-up · ');
    expect(text).toContain('abbr="maandag"');
    expect(text).toContain('30 minuten');
    const fields = await openForm(service, at(service, 1, '09:00'));
    const refused = await send(service, pageOf(service), { ...fields, ...GRACE, email: 'x' });
    expect(refused.text).toContain('Dit lijkt geen e-mailadres te zijn.');
  });

  test('is that of the page of an appointment', async ({ service }) => {
    const { path } = await managed(service);
    await apply(service, DUTCH);
    const { text } = await open(service, path);
    expect(text).toContain('Afspraak annuleren');
  });

  test('is that of forms', async ({ service }) => {
    const formId = await setUpForm(service, {}, DUTCH);
    const { text } = await open(service, `/f/${formId}`);
    expect(text).toMatch(/<html lang="nl"/);
    expect(text).toContain('Versturen');
  });

  test('is that of error pages of visitors who speak it', async ({ service }) => {
    await apply(service, DUTCH);
    const path = `/book/${service.subAccountId}/${newId(new Date())}`;
    const inBrowser = (language: string) =>
      open(service, path, { headers: { 'accept-language': language, accept: 'text/html' } });
    expect((await inBrowser('nl')).text).toContain('Deze pagina bestaat niet');
    expect((await inBrowser('fr')).text).toContain('Cette page n’existe pas');
  });

  test('of a script from right to left turns the page', async ({ service }) => {
    const ar = { booking: { confirm: 'تأكيد الحجز' } };
    await apply(service, { subAccount: { locale: 'ar-EG' }, languages: { ar } });
    await calendarOf(service);
    const { text } = await open(service, `${pageOf(service)}?tz=UTC`);
    expect(text).toMatch(/<html lang="ar-EG" dir="rtl"/);
  });

  test('cannot bring markup onto a page', async ({ service }) => {
    const nl = { booking: { book: '<b onclick="x">{what}</b>', chooseDay: '<script>1</script>' } };
    await apply(service, { subAccount: { locale: 'nl' }, languages: { nl } });
    await calendarOf(service);
    const { text } = await open(service, `${pageOf(service)}?tz=UTC`);
    expect(text).toContain('&lt;b onclick=&quot;x&quot;&gt;');
    expect(text).not.toMatch(/<script>|<b onclick/);
  });
});
