import { expect, test } from 'vitest';
import { htmlOfText, textOfHtml } from '../../web/console/campaigns/content-text.ts';

test.for<[string, string]>([
  ['', ''],
  ['Hello', '<p>Hello</p>'],
  ['One\ntwo\n\n\nthree', '<p>One<br>two</p>\n<p>three</p>'],
  ['a < b & "c"', '<p>a &lt; b &amp; &quot;c&quot;</p>'],
  ['Hi {{firstName|there}}', '<p>Hi {{firstName|there}}</p>'],
  [
    'See https://a.example/?b=1&c=2.',
    '<p>See <a href="https://a.example/?b=1&amp;c=2">https://a.example/?b=1&amp;c=2</a>.</p>',
  ],
  ['"https://a.example"', '<p>&quot;<a href="https://a.example">https://a.example</a>&quot;</p>'],
])('%j becomes %j', ([text, html]) => {
  expect(htmlOfText(text)).toBe(html);
  expect(htmlOfText(textOfHtml(html) ?? 'none')).toBe(html);
});

test.for(['<h1>News</h1>', '<p>a</p><p>b</p>', '<p><b>a</b></p>', '<a href="x">b</a>'])(
  '%s is no plain text',
  (html) => {
    expect(textOfHtml(html)).toBeUndefined();
  },
);
