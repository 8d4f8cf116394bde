import { describe, expect, test } from 'vitest';
import { hasManyOpenTags } from '../../src/lib/open-tags.ts';

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
