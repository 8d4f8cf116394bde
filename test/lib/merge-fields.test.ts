import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedHtml, mergedSubject, mergedText } from '#lib/merge-fields.ts';
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
  ] as const)('in text: %j becomes %j', ([text, expected]) => {
    expect(mergedText(text, VALUES)).toBe(expected);
  });

  test('are escaped in HTML, and the HTML around them is kept', () => {
    expect(mergedHtml('<p title="{{markup}}">{{markup}} & {{unknown}}</p>', VALUES)).toBe(
      '<p title="&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt;">&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt; & </p>',
    );
    expect(mergedHtml('{{nested}}', VALUES)).toBe('{{firstName}}');
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
    const text = '{{a'.repeat(100_000);
    const took = cpuMs(() => {
      expect(mergedText(text, VALUES)).toBe(text);
      expect(mergedText('{'.repeat(100_000), VALUES)).toHaveLength(100_000);
    });
    expect(took).toBeLessThan(1_000);
  });
});
