import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  brandCss,
  contrast,
  paletteOf,
  parseColor,
  SURFACES,
  type Color,
} from '#lib/brand-palette.ts';

/** WCAG 2.2 AA. */
const READABLE = 4.5;
/** WCAG 2.2 AA of a control's border. */
const VISIBLE = 3;
const seen = (color: string): Color => parseColor(color) ?? [0, 0, 0];
const brands = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the palette of a brand color', () => {
  test("text is readable on every brand color, and at least as well on the gradient's end", () => {
    fc.assert(
      fc.property(brands, (given) => {
        const { accent, accentHover, onAccent } = paletteOf(given);
        const readable = contrast(seen(accent), seen(onAccent));
        expect(accent).toBe(given);
        expect(readable).toBeGreaterThanOrEqual(READABLE);
        expect(contrast(seen(accentHover), seen(onAccent))).toBeGreaterThanOrEqual(readable);
      }),
      { examples: [['#777777'], ['#ffffff'], ['#000000'], ['#f97316'], ['#16191f']] },
    );
  });

  test.each(['light', 'dark'] as const)(
    'the accent of every brand is readable on all surfaces of the %s theme, and text on its tint',
    (theme) => {
      fc.assert(
        fc.property(brands, (given) => {
          const { text, surface, onSurface } = paletteOf(given)[theme];
          for (const behind of Object.values(SURFACES[theme])) {
            expect(contrast(seen(text), behind)).toBeGreaterThanOrEqual(READABLE);
          }
          expect(contrast(seen(onSurface), seen(surface))).toBeGreaterThanOrEqual(READABLE);
        }),
        { examples: [['#ffffff'], ['#000000'], ['#ff0000'], ['#ffee00'], ['#0000ff']] },
      );
    },
  );

  test('a readable brand color is not changed', () => {
    expect(paletteOf('#2456a6')).toMatchObject({ accent: '#2456a6', onAccent: '#ffffff' });
    expect(paletteOf('#ffd54a')).toMatchObject({ accent: '#ffd54a', onAccent: '#1b1f27' });
  });

  test.each([null, '', 'red', '#12', '#12345g', 'url(https://x)', '#fff}:host{display:none}'])(
    '%j is not a color: the tokens stay as they are',
    (given) => {
      expect(paletteOf(given)).toEqual(paletteOf(null));
      expect(brandCss(given)).toBe('');
    },
  );

  test('three digits are expanded to six, in either case', () => {
    expect(parseColor('#Fa0')).toEqual([255, 170, 0]);
  });
});

describe('the tokens of web/tokens/colors.css', () => {
  /** Returns the tokens of a theme that are plain colors. */
  async function tokensIn(theme: 'light' | 'dark'): Promise<ReadonlyMap<string, Color>> {
    const text = await readFile('web/tokens/colors.css', 'utf8');
    const tokens = [...text.matchAll(/--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/g)];
    return new Map(
      tokens.map(([, name = '', light = '', dark = '', both]) => [
        name,
        seen(both ?? (theme === 'light' ? light : dark)),
      ]),
    );
  }

  test('are those of the default brand in the light theme, which icons and mails use', async () => {
    const tokens = await tokensIn('light');
    const { accent, onAccent } = paletteOf(null);
    expect([tokens.get('accent'), tokens.get('on-accent')]).toEqual([seen(accent), seen(onAccent)]);
  });

  test.each(['light', 'dark'] as const)(
    'text is readable on every surface of the %s theme',
    async (theme) => {
      const tokens = await tokensIn(theme);
      const read = (name: string): Color => tokens.get(name) ?? [0, 0, 0];
      expect([read('surface'), read('bubble')]).toEqual(Object.values(SURFACES[theme]));
      const faint: string[] = [];
      const check = (text: string, surface: string) => {
        const ratio = contrast(read(text), read(surface));
        if (ratio < READABLE) {
          faint.push(`${text} on ${surface}: ${ratio.toFixed(2)}`);
        }
      };
      for (const surface of ['canvas', 'surface', 'raised', 'sunken', 'bubble']) {
        for (const text of ['text', 'text-quiet', 'accent-text', 'good', 'warn', 'bad']) {
          check(text, surface);
        }
      }
      for (const state of ['good', 'warn', 'bad', 'note']) {
        check(state, `${state}-surface`);
      }
      check('on-accent', 'accent');
      check('on-accent', 'bad-solid');
      check('on-accent-surface', 'accent-surface');
      expect(faint).toEqual([]);
    },
  );

  test.each(['light', 'dark'] as const)(
    'the border of a field is visible on every surface of the %s theme',
    async (theme) => {
      const tokens = await tokensIn(theme);
      const read = (name: string): Color => tokens.get(name) ?? [0, 0, 0];
      for (const surface of ['surface', 'raised']) {
        expect(contrast(read('line-field'), read(surface))).toBeGreaterThanOrEqual(VISIBLE);
      }
    },
  );
});
