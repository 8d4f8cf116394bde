import { expect, test } from 'vitest';
import { isHarmless, withoutInline } from '../../web/console/inbox/without-inline.ts';

test('style elements, style attributes and handlers of a mail get names that do nothing', () => {
  const html = '<STYLE>p{}</style><p style="color:red" onclick=\'x()\'>1 < 2</p>';
  expect(withoutInline(html)).toBe(
    '<x-style>p{}</x-style><p data-style="color:red" data-onclick=\'x()\'>1 < 2</p>',
  );
});

test('a base of a mail gets a name that does nothing', () => {
  const html = '<base href="https://a.example/"><BASE/><basefont size="2"></base>base';
  expect(withoutInline(html)).toBe(
    '<basefont href="https://a.example/"><basefont/><basefont size="2"></basefont>base',
  );
});

/** Read once per open tag, each of these would take half an hour. */
test.each(['<a', '<a ', '<a onx', '<style', '<base'])(
  'a mail of nothing but %s is read once',
  (piece) => {
    const html = piece.repeat(1_000_000 / piece.length);
    expect(withoutInline(html).length).toBeGreaterThanOrEqual(html.length);
  },
);

test.each([
  ['color', 'red', true],
  ['background-color', 'rgb(1, 2, 3)', true],
  ['background-image', 'url("https://a.example/")', false],
  ['background-image', 'image-set("https://a.example/" 1x)', false],
  ['position', 'FIXED', false],
  ['--a', 'red', false],
  ['content', String.raw`u\72l(https://a.example/)`, false],
])('of the style of a mail, %s: %s is kept: %j', (name, value, isKept) => {
  expect(isHarmless(name, value)).toBe(isKept);
});
