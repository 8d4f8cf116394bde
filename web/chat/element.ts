const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

/**
 * Creates an element. Text becomes text nodes and is never parsed as HTML. Attributes must be allowed by
 * a strict Content-Security-Policy: no `style`, no event handlers.
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Sets attributes; `false` and undefined remove them. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
}

/** Creates an icon of one path in a 24 × 24 view box, in the current text colour. */
export function icon(path: string, name: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const drawn = document.createElementNS(SVG, 'path');
  set(svg, { viewBox: '0 0 24 24', class: `icon ${name}`, 'aria-hidden': 'true' });
  set(drawn, { d: path });
  svg.append(drawn);
  return svg;
}
