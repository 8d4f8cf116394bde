import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html, markupOf } from '#lib/html.ts';

describe('a template', () => {
  test('escapes values, keeps its own markup and that of others, and joins lists', () => {
    const list = ['<a>', 'b & "c"'].map((text) => html`<i title="${text}">${text}</i>`);
    expect(markupOf(html`<p>${list}</p>`)).toBe(
      '<p><i title="&lt;a&gt;">&lt;a&gt;</i><i title="b &amp; &quot;c&quot;">b &amp; &quot;c&quot;</i></p>',
    );
  });

  test('shows nothing for what is not there, and zero for zero', () => {
    expect(markupOf(html`[${null}${undefined}${false}${''}${0}]`)).toBe('[0]');
  });

  test('cannot be left by any text, be it in an element or an attribute', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const markup = markupOf(html`<p title="${text}">${text}</p>`);
        const [, attribute, inside] = /^<p title="([^"]*)">([^<>]*)<\/p>$/.exec(markup) ?? [];
        expect(attribute).toBe(inside);
      }),
    );
  });

  test('takes nothing that merely looks like markup of its own', () => {
    const forged = JSON.parse('{"html":"<b>"}') as never;
    expect(markupOf(html`${forged}`)).not.toContain('<b>');
  });
});
