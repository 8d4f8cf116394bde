/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

const WHITE: Colour = [255, 255, 255];
const INK: Colour = [22, 25, 31];
const BLACK: Colour = [0, 0, 0];
/** The panel's background in light and dark mode; `--paper` in the style sheet. */
const LIGHT_PAPER = WHITE;
const DARK_PAPER = INK;
const DEFAULT: Colour = [36, 86, 166];
/** WCAG 2.2 AA for text. */
const READABLE = 4.5;
const STEPS = 20;

export interface Palette {
  readonly brand: string;
  /** The end colour of the brand's gradient; text has at least the same contrast on it. */
  readonly brandDeep: string;
  /** Text and icons on the brand colour. */
  readonly onBrand: string;
  /** The brand colour, darkened until it is readable on the light panel. */
  readonly accentLight: string;
  readonly accentDark: string;
}

/** Derives the palette from a brand colour, `#rgb` or `#rrggbb`; anything else means the default. */
export function paletteOf(given: string | null): Palette {
  const brand = parse(given ?? '') ?? DEFAULT;
  // If white is not readable, black always is.
  const onBrand = [WHITE, INK].find((text) => contrast(brand, text) >= READABLE) ?? BLACK;
  const away = onBrand === WHITE ? BLACK : WHITE;
  return {
    brand: css(brand),
    brandDeep: css(mix(brand, away, 0.14)),
    onBrand: css(onBrand),
    accentLight: css(readableOn(brand, LIGHT_PAPER, INK)),
    accentDark: css(readableOn(brand, DARK_PAPER, WHITE)),
  };
}

/** Returns the WCAG contrast of two colours, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

export function parse(text: string): Colour | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) {
    return undefined;
  }
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16);
  return [at(0), at(2), at(4)];
}

function readableOn(colour: Colour, paper: Colour, towards: Colour): Colour {
  for (let step = 0; step < STEPS; step += 1) {
    const tried = mix(colour, towards, step / STEPS);
    if (contrast(tried, paper) >= READABLE) {
      return tried;
    }
  }
  return towards;
}

const mix = ([r, g, b]: Colour, [r2, g2, b2]: Colour, share: number): Colour => [
  Math.round(r + (r2 - r) * share),
  Math.round(g + (g2 - g) * share),
  Math.round(b + (b2 - b) * share),
];

function luminance(colour: Colour): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const css = (colour: Colour): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
