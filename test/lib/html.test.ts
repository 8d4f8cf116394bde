import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html, markupOf } from '#lib/html.ts';

describe('a template', () => {
  test('escapes values, keeps markup, and joins lists', () => {
    const list = ['<a>', 'b & "c"'].map((text) => html`<i title="${text}">${text}</i>`);
    expect(markupOf(html`<p>${list}</p>`)).toBe(
      '<p><i title="&lt;a&gt;">&lt;a&gt;</i><i title="b &amp; &quot;c&quot;">b &amp; &quot;c&quot;</i></p>',
    );
  });

  test('shows nothing for undefined, and 0 for zero', () => {
    expect(markupOf(html`[${null}${undefined}${false}${''}${0}]`)).toBe('[0]');
  });

  test('no text breaks out of an element or attribute', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const markup = markupOf(html`<p title="${text}">${text}</p>`);
        const [, attribute, inside] = /^<p title="([^"]*)">([^<>]*)<\/p>$/.exec(markup) ?? [];
        expect(attribute).toBe(inside);
      }),
    );
  });

  test('does not accept an object that only looks like its markup', () => {
    const forged = JSON.parse('{"html":"<b>"}') as never;
    expect(markupOf(html`${forged}`)).not.toContain('<b>');
  });
});
