import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { sections } from '#registry/sections.ts';
import type { Catalogue } from '#lib/translate.ts';
import { bookingTexts, languageOf as bookingLanguage } from '../../src/booking/pages/layout.ts';
import { preferencesTexts } from '../../src/campaigns/pages/messages.ts';
import { chatTexts } from '../../src/chat/chat-texts.ts';
import { formTexts } from '../../src/forms/pages/layout.ts';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test } from '../support/service.ts';

const DUTCH = parse(
  readFileSync(new URL('../../config/dutch.example.yaml', import.meta.url), 'utf8'),
);

const CATALOGUES: Record<string, Catalogue> = {
  booking: bookingTexts,
  forms: formTexts,
  preferences: preferencesTexts,
  chat: chatTexts,
};

const section = sections.find(({ name }) => name === 'languages');

/** Returns the JSON pointers of all texts of a schema, or of a language of a manifest. */
const schemaPaths = (schema: any, path = ''): string[] =>
  schema.properties && !schema.anyOf
    ? Object.entries(schema.properties).flatMap(([key, one]) => schemaPaths(one, `${path}/${key}`))
    : [path];

function valueAt(value: any, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<any>((one, key) => one?.[key], value);
}

describe('the languages of a manifest', () => {
  test('are stored, exported, changed and pruned', async ({ service }) => {
    const nl = { booking: { confirm: 'Bevestigen' } };
    const pt = { booking: { reasons: { closed: 'Indisponível' } }, chat: { send: 'Enviar' } };
    const added = await apply(service, { languages: { nl, 'pt-BR': pt } });
    expect(added.created).toEqual([
      { section: 'languages', key: 'nl' },
      { section: 'languages', key: 'pt-BR' },
    ]);
    expect((await exported(service)).languages).toEqual({ nl, 'pt-BR': pt });
    const again = await apply(service, { languages: { nl, 'pt-BR': pt } });
    expect([again.created, again.updated]).toEqual([[], []]);
    await apply(
      service,
      { languages: { nl: { booking: { confirm: 'Boeken' } } } },
      { prune: true },
    );
    expect((await exported(service)).languages).toEqual({ nl: { booking: { confirm: 'Boeken' } } });
  });

  test('belong to one sub-account', async ({ service }) => {
    await apply(service, { languages: { nl: { chat: { send: 'Versturen' } } } });
    expect((await exported(service, service.otherSubAccountId)).languages).toBeUndefined();
  });

  test.for([
    [{ dutch: {} }, /\/languages\/dutch must have a language tag as its name/],
    [{ 'pt-br': {} }, /must have a language tag as its name/],
    [
      { nl: { booking: { confrm: 'x' } } },
      /confrm is not a known field here; did you mean "confirm"/,
    ],
    [{ nl: { email: {} } }, /\/languages\/nl\/email is not a known field here/],
    [
      { nl: { booking: { book: 'Boeken' } } },
      /\/languages\/nl\/booking\/book must contain \{what\}/,
    ],
    [
      { nl: { booking: { book: '{what} {who}' } } },
      /\/booking\/book must not contain \{who\}; its placeholders: \{what\}/,
    ],
    [
      { nl: { chat: { send: '{name}' } } },
      /must not contain \{name\}: this text has no placeholders/,
    ],
    [{ nl: { booking: { freeTimes: 'tijden' } } }, /freeTimes must contain \{count\}/],
    [{ nl: { booking: { freeTimes: { one: '1 tijd' } } } }, /freeTimes.*other/],
    [
      { nl: { booking: { freeTimes: { few: 'x', other: '{count}' } } } },
      /freeTimes\/few is not a plural form of nl; its forms: one, other/,
    ],
    [{ nl: { booking: { confirm: '' } } }, /\/confirm must/],
    [{ nl: { forms: { upTo: 'Maximaal' } } }, /\/forms\/upTo must contain \{size\}/],
    [{ nl: { booking: { reasons: { closed: 5 } } } }, /reasons\/closed must be a string/],
    [{ nl: { booking: { constructor: 'x' } } }, /constructor is not a known field here/],
  ] as const)('are refused: %j', async ([languages, message], { service }) => {
    await expect(apply(service, { languages })).rejects.toThrow(message);
  });

  test('may use the placeholder of a count in words', async ({ service }) => {
    const minutes = { one: 'één minuut', other: '{count} minuten' };
    await apply(service, { languages: { nl: { booking: { minutes } } } });
  });

  test('of the example are complete', async ({ service }) => {
    const missing = schemaPaths(section?.schema).filter(
      (path) => valueAt(DUTCH.languages.nl, path) === undefined,
    );
    expect(missing).toEqual([]);
    await apply(service, DUTCH);
  });
});

test('names the values of every text that has some', () => {
  const functions = Object.entries(CATALOGUES).flatMap(([kind, { english, values }]) =>
    Object.entries(english)
      .filter(([key, message]) => typeof message === 'function' && !(key in values))
      .map(([key]) => `${kind}.${key}`),
  );
  expect(functions).toEqual([]);
});

describe('a language', () => {
  const texts = (booking: object) => ({ booking }) as never;

  test('keeps the built-in texts that it does not replace', () => {
    const { messages, locale } = bookingLanguage('de-AT', {
      de: texts({ confirm: 'Jetzt buchen' }),
    });
    expect([locale, messages.confirm, messages.back]).toEqual(['de-AT', 'Jetzt buchen', 'Zurück']);
  });

  test('with a region precedes the one without', () => {
    const added = {
      pt: texts({ back: 'Atrás', move: 'Mudar' }),
      'pt-BR': texts({ back: 'Voltar' }),
    };
    const { messages } = bookingLanguage('pt-BR', added);
    expect([messages.back, messages.move, messages.change]).toEqual(['Voltar', 'Mudar', 'Change']);
    expect(bookingLanguage('pt-PT', added).messages.back).toBe('Atrás');
  });

  test('chooses the plural form of its own rules', () => {
    const freeTimes = { one: '{count} termin', few: '{count} terminy', other: '{count} terminów' };
    const { messages } = bookingLanguage('pl', { pl: texts({ freeTimes }) });
    expect([1, 3, 5].map((count) => messages.freeTimes(count))).toEqual([
      '1 termin',
      '3 terminy',
      '5 terminów',
    ]);
  });

  test('fills in values as they are, even if they look like placeholders', () => {
    const { messages } = bookingLanguage('nl', { nl: texts({ book: 'Boek {what}' }) });
    expect(messages.book('{what} $& $1')).toBe('Boek {what} $& $1');
  });
});
