import { languages } from '../../../src/console/why/language.ts';
import { calendarOf, at, book } from '../../support/calendars.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test } from '../../support/service.ts';
import { why } from './why.support.ts';

/** An argument of any sentence: a text that also has every member that sentences read. */
const ANY = Object.assign(Object('X') as object, {
  before: 'X',
  channel: 'X',
  attempt: 2,
  status: 500,
  failures: 3,
  nextAt: 'X',
  waiting: 4,
  place: '/0',
  step: 'X',
  detail: 'X',
  event: 'X',
  until: 'X',
  join: () => 'X',
});

/** Sentences with their paths. */
function sentencesOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') {
    return [[path, value]];
  }
  if (typeof value === 'function') {
    const args = Array.from({ length: value.length }, () => ANY);
    return [[path, String(Reflect.apply(value, undefined, args))]];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, next]) => sentencesOf(next, `${path}.${name}`))
    : [];
}

const NAMES = new Set(['SMS', 'Messenger', 'Instagram', 'Gmail']);
const ENGLISH = /\b(?:the|was|were|is|are|has|have|not|and|of|its|waits?|sent|failed)\b/i;
const english = new Map(sentencesOf(languages.en.messages));

describe('sentences', () => {
  test.each(['de', 'fr', 'es'] as const)('are all in the language %s', (language) => {
    const sentences = sentencesOf(languages[language].messages);
    expect(sentences.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
    const left = sentences.filter(
      ([path, text]) =>
        (text === english.get(path) && !NAMES.has(text)) ||
        ENGLISH.test(text.replace('frontdesk admin release', '')),
    );
    expect(left).toEqual([]);
  });
});

describe('an answer', () => {
  test('is in the language that is asked for, with times in the zone of the sub-account', async ({
    service,
  }) => {
    const reminders = [{ before: 120, channel: 'email', subject: 'Soon', body: 'See you' }];
    await apply(service, {
      subAccount: { timezone: 'Europe/Paris' },
      channels: {
        email: { provider: 'smtp', host: '127.0.0.1', port: 2525, from: 'a@example.com' },
      },
    });
    const { typeId } = await calendarOf(service, { reminders });
    const [startTime, endTime] = [at(service, 2, '10:00'), at(service, 2, '10:30')];
    const customer = { email: 'jo@example.com', firstName: 'Jo', lastName: 'Doe' };
    const input = { appointmentTypeId: typeId, startTime, endTime, ...customer };
    const { id } = (await book(service, input)).body.data;
    const ask = async (language: string) =>
      (await why(service, { kind: 'reminder', id, language })).reasons[0].sentence;
    expect(await ask('en')).toMatch(/^The reminder 2 hours before, by email, is due at /);
    expect(await ask('fr')).toMatch(
      /^Le rappel 2\s+heures avant \(e-mail\) est prévu : .*UTC\+[12]\.$/,
    );
    expect(await ask('de')).toMatch(/^Die Erinnerung 2\s+Stunden vorher \(E-Mail\) ist fällig: /);
    expect(await ask('es')).toMatch(/^El recordatorio de 2\s+horas antes \(correo electrónico\)/);
  });
});
