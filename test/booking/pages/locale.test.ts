import { at, calendarOf } from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { expect, test } from '../../support/service.ts';
import { open, pageOf } from './page.support.ts';

const weekdaysIn = (text: string): string[] =>
  [...text.matchAll(/<th scope="col" abbr="([^"]+)"/g)].map(([, day = '']) => day);

test.for([
  ['de-DE', 'Montag', '09:00', 'Check-up buchen'],
  ['en-US', 'Sunday', '9:00 AM', 'Book: Check-up'],
  ['en-GB', 'Monday', '09:00', 'Book: Check-up'],
  ['fr-CA', 'dimanche', '09 h 00', 'Réserver : Check-up'],
  ['es-ES', 'lunes', '9:00', 'Reservar: Check-up'],
  ['ja-JP', 'Monday', '09:00', 'Book: Check-up'],
] as const)(
  'in %s a week begins with %s and nine is %s',
  async ([locale, monday, nine, title], { service }) => {
    await apply(service, { subAccount: { locale } });
    await calendarOf(service);
    const { text } = await open(service, `${pageOf(service)}?tz=UTC`);
    expect(text).toContain(`<title>${title} · `);
    expect(weekdaysIn(text)[0]).toBe(monday);
    const start = at(service, 1, '09:00');
    const form = await open(service, `${pageOf(service)}?tz=UTC&start=${start}`);
    expect(form.text.replaceAll('\u00A0', ' ')).toContain(nine);
    const lang = /<html\s+lang="([^"]+)"/.exec(text)?.[1];
    expect(lang).toBe(locale === 'ja-JP' ? 'en-GB' : locale);
  },
);
