/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

const WHITE: Color = [255, 255, 255];
const INK: Color = [27, 31, 39];
const BLACK: Color = [0, 0, 0];
/** `--surface` and, with the least contrast to text, `--bubble` of `web/tokens/colors.css`, per theme. */
export const SURFACES = {
  light: { surface: WHITE, bubble: [241, 243, 246] },
  dark: { surface: [18, 21, 27], bubble: [31, 36, 46] },
} as const;
/** `--accent` of `web/tokens/colors.css` in the light theme. */
export const DEFAULT_BRAND_COLOR = '#2456a6';
/** WCAG 2.2 AA for text. */
const READABLE = 4.5;
const STEPS = 20;
/** The part of the brand color in a tint: a dark surface needs more of it to be noticed. */
const TINT = { light: 0.12, dark: 0.28 };
const DEEPER = 0.14;

/** The colors that depend on the theme. */
interface ThemeColors {
  /** Text, links and focus rings in the brand's color, readable on every surface. */
  readonly text: string;
  /** A pale background in the brand's color, and text on it. */
  readonly surface: string;
  readonly onSurface: string;
}

export interface Palette {
  readonly accent: string;
  /** A deeper brand color, for gradients and pointers; text has at least the same contrast on it. */
  readonly accentHover: string;
  /** Text and icons on the brand color. */
  readonly onAccent: string;
  readonly light: ThemeColors;
  readonly dark: ThemeColors;
}

/** Derives the palette from a brand color, `#rgb` or `#rrggbb`; anything else means the default. */
export function paletteOf(given: string | null): Palette {
  const brand = parseColor(given ?? '') ?? parseColor(DEFAULT_BRAND_COLOR) ?? INK;
  // If white is not readable, black always is.
  const onBrand = [WHITE, INK].find((text) => contrast(brand, text) >= READABLE) ?? BLACK;
  const away = onBrand === WHITE ? BLACK : WHITE;
  return {
    accent: css(brand),
    accentHover: css(mix(brand, away, DEEPER)),
    onAccent: css(onBrand),
    light: themeColors(brand, 'light', BLACK),
    dark: themeColors(brand, 'dark', WHITE),
  };
}

function themeColors(brand: Color, theme: 'light' | 'dark', towards: Color): ThemeColors {
  const { surface, bubble } = SURFACES[theme];
  const tint = mix(surface, brand, TINT[theme]);
  return {
    text: css(readableOn(brand, bubble, towards)),
    surface: css(tint),
    onSurface: css(readableOn(brand, tint, towards)),
  };
}

/**
 * Returns the brand's tokens as CSS: those of `web/tokens/colors.css`, for a page or a shadow tree;
 * empty for anything that is not a color.
 */
export function brandCss(color: string | null): string {
  if (!parseColor(color ?? '')) {
    return '';
  }
  const { accent, accentHover, onAccent, light, dark } = paletteOf(color);
  const themed = ({ text, surface, onSurface }: ThemeColors) =>
    `--accent-text:${text};--focus:${text};--accent-surface:${surface};--on-accent-surface:${onSurface}`;
  return `:root,:host{--accent:${accent};--accent-hover:${accentHover};--on-accent:${onAccent};${themed(light)}}@media (prefers-color-scheme:dark){:root,:host{--accent:${accent};--accent-hover:${accentHover};${themed(dark)}}}`;
}

/** Returns the WCAG contrast of two colors, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

export function parseColor(text: string): Color | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) {
    return undefined;
  }
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16);
  return [at(0), at(2), at(4)];
}

function readableOn(color: Color, surface: Color, towards: Color): Color {
  for (let step = 0; step < STEPS; step += 1) {
    const tried = mix(color, towards, step / STEPS);
    if (contrast(tried, surface) >= READABLE) {
      return tried;
    }
  }
  return towards;
}

const mix = ([r, g, b]: Color, [r2, g2, b2]: Color, share: number): Color => [
  Math.round(r + (r2 - r) * share),
  Math.round(g + (g2 - g) * share),
  Math.round(b + (b2 - b) * share),
];

function luminance(color: Color): number {
  const [r = 0, g = 0, b = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const css = (color: Color): string =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
