import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, paletteOf, parse, type Colour } from '../../web/chat/colour.ts';

/** WCAG 2.2 AA. */
const READABLE = 4.5;
const seen = (colour: string): Colour => parse(colour) ?? [0, 0, 0];
const brands = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the palette of a brand colour', () => {
  test("text is readable on every brand colour, and at least as well on the gradient's end", () => {
    fc.assert(
      fc.property(brands, (given) => {
        const { brand, brandDeep, onBrand } = paletteOf(given);
        const readable = contrast(seen(brand), seen(onBrand));
        expect(brand).toBe(given);
        expect(readable).toBeGreaterThanOrEqual(READABLE);
        expect(contrast(seen(brandDeep), seen(onBrand))).toBeGreaterThanOrEqual(readable);
      }),
      { examples: [['#777777'], ['#ffffff'], ['#000000'], ['#f97316'], ['#16191f']] },
    );
  });

  test('the accent of every brand is readable on the panel in light and dark mode', () => {
    fc.assert(
      fc.property(brands, (given) => {
        const { accentLight, accentDark } = paletteOf(given);
        expect(contrast(seen(accentLight), [255, 255, 255])).toBeGreaterThanOrEqual(READABLE);
        expect(contrast(seen(accentDark), [22, 25, 31])).toBeGreaterThanOrEqual(READABLE);
      }),
    );
  });

  test('a readable brand colour is not changed', () => {
    expect(paletteOf('#2456a6')).toMatchObject({ brand: '#2456a6', onBrand: '#ffffff' });
    expect(paletteOf('#ffd54a')).toMatchObject({ brand: '#ffd54a', onBrand: '#16191f' });
  });

  test.each([null, '', 'red', '#12', '#12345g', 'url(https://x)', '#fff}:host{display:none}'])(
    '%j is not a color and yields the default',
    (given) => {
      expect(paletteOf(given).brand).toBe('#2456a6');
    },
  );

  test('three digits are expanded to six, in either case', () => {
    expect(parse('#Fa0')).toEqual([255, 170, 0]);
  });
});
