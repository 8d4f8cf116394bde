import { html, type Html } from '#lib/html.ts';

/** The shapes, drawn on a grid of 24 with round strokes. */
const SHAPES = {
  duration: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  price: 'M3 6h18v12H3zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6.5 12h.01M17.5 12h.01',
  place:
    'M12 21s7-5.5 7-11a7 7 0 1 0-14 0c0 5.5 7 11 7 11ZM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  video: 'M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5',
  zone: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.5 2.5 3.7 5.5 3.7 9S14.5 18.5 12 21c-2.5-2.5-3.7-5.5-3.7-9S9.5 5.5 12 3Z',
  search: 'M10.5 18a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM21 21l-5-5',
} as const;

/** Returns a decorative icon in the colour of the text beside it, which says what it stands for. */
export const icon = (name: keyof typeof SHAPES): Html =>
  html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">
    <path d="${SHAPES[name]}" />
  </svg>`;
