import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  mapFields,
  mergedHtml,
  mergedSubject,
  mergedText,
  splitFields,
  valueOf,
} from '#lib/merge-fields.ts';
import { mergedUrl } from '#lib/merge-url.ts';
import { cpuMs } from '../support/cpu-time.ts';

const VALUES = {
  firstName: 'Ada',
  company: null,
  email: '',
  phone: undefined,
  markup: `<b>"R&D's"</b>`,
  nested: '{{firstName}}',
  lines: 'one\r\ntwo\u2028three',
  money: '$1 $& $$',
  'custom_values.booking_link': 'https://example.com/book',
};

describe('merge fields', () => {
  test.for([
    ['Hi {{firstName}}!', 'Hi Ada!'],
    ['{{ firstName }} {{\tfirstName\n}}', 'Ada Ada'],
    ['{{firstName}}{{firstName}}', 'AdaAda'],
    ['{{custom_values.booking_link}}', 'https://example.com/book'],
    ['a{{company}}b{{email}}c{{phone}}d', 'abcd'],
    ['a{{unknown}}b{{}}c{{ }}d{{first name}}e', 'abcde'],
    ['{{FIRSTNAME}}{{firstname}}', ''],
    ['{{__proto__}}{{constructor}}{{toString}}{{hasOwnProperty}}', ''],
    ['{{custom_values}}{{custom_values.}}{{custom_values.__proto__}}', ''],
    ['{{nested}}', '{{firstName}}'],
    ['{{{firstName}}}', '{Ada}'],
    ['{{ {{firstName}} }}', '{{ Ada }}'],
    ['{firstName} {{firstName} {firstName}} {{', '{firstName} {{firstName} {firstName}} {{'],
    ['{{money}}', '$1 $& $$'],
    ['{{markup}}', `<b>"R&D's"</b>`],
    ['', ''],
    ['Hi {{firstName|there}}!', 'Hi Ada!'],
    ['a{{company|b}}c{{email| d }}e{{phone|f}}', 'abcdef'],
    ['{{unknown|x}}{{__proto__|y}}{{constructor|z}}', 'xyz'],
    ['{{ company | our {best} friend } }}', 'our {best} friend }'],
    ['{{company|}}{{|x}}', 'x'],
    ['{{company|{{firstName}}}}', '{{firstName}}'],
    ['{{company|<b>}}', '<b>'],
    ['a{{company|b|c}}d', 'ad'],
    ['{{firstName|there}', '{{firstName|there}'],
  ] as const)('in text: %j becomes %j', ([text, expected]) => {
    expect(mergedText(text, VALUES)).toBe(expected);
  });

  test('do not make a text longer than 2 million characters', () => {
    const values = { long: 'x'.repeat(1_000) };
    expect(mergedText('{{long}}'.repeat(2_000), values)).toHaveLength(2_000_000);
    const tooLong = '{{long}}'.repeat(2_001);
    expect(() => mergedText(tooLong, values)).toThrow('at most 2000000 characters are allowed');
    expect(() => mergedHtml('{{long}}'.repeat(500), { long: '&'.repeat(1_000) })).toThrow(
      'the text is too long',
    );
    expect(() => mergedUrl(tooLong, values)).toThrow('the text is too long');
  });

  test('are escaped in HTML, and the HTML around them is kept', () => {
    expect(mergedHtml('<p title="{{markup}}">{{markup}} & {{unknown}}</p>', VALUES)).toBe(
      '<p title="&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt;">&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt; & </p>',
    );
    expect(mergedHtml('{{nested}}', VALUES)).toBe('{{firstName}}');
  });

  test('have fallbacks, which are escaped like values', () => {
    expect(mergedHtml('<p>{{company|R&D <b>}}</p>', VALUES)).toBe('<p>R&amp;D &lt;b&gt;</p>');
    expect(mergedSubject('Hi {{company|you\r\nBcc: x}}', VALUES)).toBe('Hi youBcc: x');
    expect(mergedUrl('https://example.com/?a={{company|1&b=2}}&c={{firstName|x}}', VALUES)).toBe(
      'https://example.com/?a=1%26b%3D2&c=Ada',
    );
  });

  test('are the same fields, however a text is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{{', '}}', '|', 'firstName', 'company', ' x ')),
        (bits) => {
          const text = bits.join('');
          const { texts, fields } = splitFields(text);
          const joined = fields.map((field, at) => valueOf(field, VALUES) + (texts[at + 1] ?? ''));
          expect([texts[0], ...joined].join('')).toBe(mergedText(text, VALUES));
          expect(mapFields(text, (_, source) => source)).toBe(text);
        },
      ),
    );
  });

  test('keep a subject on one line', () => {
    expect(mergedSubject('Re:\r\nBcc: {{lines}}\n', VALUES)).toBe('Re:Bcc: onetwothree');
  });

  test('fields inside values are not replaced', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (around, value) => {
        const plain = around.replaceAll(/[{}]/g, '');
        const text = `${plain}{{v}}${plain}`;
        expect(mergedText(text, { v: value })).toBe(`${plain}${value}${plain}`);
      }),
    );
  });

  test('no value adds markup to HTML or a line break to a subject', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(mergedHtml('{{v}}', { v: value })).not.toMatch(/[<>"']/);
        expect(mergedSubject('{{v}}', { v: value })).not.toMatch(/[\n\v\f\r\u0085\u2028\u2029]/);
      }),
    );
  });

  test('text without fields is unchanged, and 100,000 brackets are fast', () => {
    const took = cpuMs(() => {
      for (const part of ['{{a', '{{a|', '{{a|}', '{{a|b|', '{{|{{']) {
        const text = part.repeat(100_000);
        expect(mergedText(text, VALUES)).toBe(text);
      }
      expect(mergedText('{'.repeat(100_000), VALUES)).toHaveLength(100_000);
    });
    expect(took).toBeLessThan(1_000);
  });
});
