import { describe, expect, test } from 'vitest';
import { hasManyOpenTags, withoutTags } from '../../src/lib/open-tags.ts';

describe('open tags are too many', () => {
  test.each([
    ['<div>'],
    ['<svg/>'],
    ['<math/>'],
    ['<div><svg></div>'],
    ['<p><mi></p>'],
    ['<svg><title/></svg>'],
    ['<svg><desc></svg>'],
  ])('if %s occurs two thousand times', (fragment) => {
    expect(hasManyOpenTags(fragment.repeat(2_000))).toBe(true);
  });
});

describe('open tags are not too many', () => {
  test.each([
    ['<div></div>'],
    ['<p>'],
    ['<br/>'],
    ['<svg><path/></svg>'],
    ['<math><mi>x</mi></math>'],
    ['<svg><title>x</title></svg>'],
    ['</svg>'],
  ])('if %s occurs two thousand times', (fragment) => {
    expect(hasManyOpenTags(fragment.repeat(2_000))).toBe(false);
  });

  test('in a mail with a few pictures', () => {
    expect(hasManyOpenTags('<p>a<svg/></p>'.repeat(100))).toBe(false);
  });
});

test('without its tags, HTML keeps the addresses of its links', () => {
  const html =
    '<link href="a.css"><p><a class="b" href="https://x.example/?a=1&amp;b=2">Leave</a></p>';
  expect(withoutTags(html)).toBe('https://x.example/?a=1&b=2 Leave');
});

test('without its tags, HTML is its text on lines, without styles and scripts', () => {
  const html = `<style>p > b { color: red }</style><p>Tom &amp; Jerry&nbsp;&lt;3</p>
    <script>let a = 1;</script>
    <p>It&#39;s <b>on</b></p>`;
  expect(withoutTags(html)).toBe("Tom & Jerry <3\nIt's on");
});
