import { globSync, readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Fault } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import * as s from '#core/schema/schema.ts';
import { calendarEntry } from '../../src/calendars/calendar-entry.ts';
import { deIssues } from '../../web/console/i18n/de/issues.ts';
import { enIssues } from '../../web/console/i18n/en/issues.ts';
import { translateIssue } from '../../web/console/i18n/translate-issue.ts';

const SCHEMA = s.request({
  name: Type.String({ minLength: 1, maxLength: 3 }),
  long: Type.String({ minLength: 2 }),
  one: Type.String({ maxLength: 1 }),
  blank: s.shortText({}),
  small: Type.Integer({ minimum: 5 }),
  large: Type.Number({ maximum: 10 }),
  above: Type.Number({ exclusiveMinimum: 0 }),
  text: Type.Number(),
  whole: Type.Integer(),
  email: s.email(),
  phone: s.phone(),
  url: Type.String({ format: 'uri' }),
  zone: s.timeZone(),
  date: s.isoDate(),
  below: Type.Number({ exclusiveMaximum: 10 }),
  few: Type.Array(Type.String(), { minItems: 2 }),
  many: Type.Array(Type.String(), { maxItems: 1 }),
  choice: s.oneOf(['red', 'blue']),
  similar: s.oneOf(['red', 'blue']),
});

const WRONG = {
  name: '',
  long: 'a',
  one: 'ab',
  blank: '  ',
  small: 4,
  large: 12,
  above: 0,
  text: 'x',
  whole: 1.5,
  email: 'x',
  phone: 'x',
  url: 'x',
  zone: 'x',
  date: 'x',
  below: 10,
  few: ['a'],
  many: ['a', 'b'],
  choice: 'green',
  similar: 'bleu',
};

const messagesOf = (schema: Parameters<typeof check>[0], value: object): string[] => {
  try {
    check(schema, value, 'body');
    return [];
  } catch (error) {
    const { issues } = (error as Fault).details as { readonly issues: { message: string }[] };
    return issues.map(({ message }) => message);
  }
};

describe('what the server says about a value', () => {
  const said = [
    ...messagesOf(SCHEMA, {}).slice(0, 1),
    ...messagesOf(SCHEMA, WRONG),
    ...messagesOf(calendarEntry, {
      key: 'a',
      name: 'A',
      minimumNotice: 1.5,
      hours: { mon: ['9-17'] },
      types: [{ key: 'b', name: 'B', duration: 5, videoUrl: 'http://example.com' }],
    }),
  ];

  test.each(said)('is known to the console: %s', (message) => {
    expect(translateIssue(message, enIssues)).toBe(
      message.replace(/; (for example|did you mean) .*/, ''),
    );
    expect(translateIssue(message, deIssues)).not.toMatch(/must|required|mean/);
  });

  test('keeps the limit and the given value', () => {
    const words = (message: string) => translateIssue(message, deIssues);
    expect(words('must have at most 1 character, not 2')).toBe(
      'darf höchstens 1 Zeichen haben, nicht 2',
    );
    expect(words('must be one of red, blue, not "green"')).toBe(
      'muss eines davon sein: red, blue, nicht "green"',
    );
    expect(words('something else is wrong')).toBe('something else is wrong');
    expect(words('must have at least 2 characters, not counting blanks at its ends')).toBe(
      'muss mindestens 2 Zeichen haben, ohne Leerzeichen am Rand',
    );
  });

  test('has each text that the console knows', () => {
    const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));
    const unknown = Object.values(enIssues.texts).filter(
      (text) =>
        !said.some((one) => one.startsWith(text)) && !sources.some((one) => one.includes(text)),
    );
    expect(unknown).toEqual([]);
  });
});
