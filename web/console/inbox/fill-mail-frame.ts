import { isHarmless, withoutInline } from './without-inline.ts';

/** Elements that are dropped with everything in them. */
const DROPPED =
  'script, style, x-style, link, meta, basefont, title, iframe, frame, object, embed, applet, form > input, input, button, select, textarea, svg, math, audio, video, source, template, noscript, portal';
/** Attributes that are kept; all others are removed, handlers and addresses among them. */
const KEPT = new Set([
  'align',
  'alt',
  'bgcolor',
  'border',
  'cellpadding',
  'cellspacing',
  'color',
  'colspan',
  'dir',
  'face',
  'height',
  'href',
  'lang',
  'rowspan',
  'size',
  'title',
  'valign',
  'width',
]);
const SAFE_LINK = /^(?:https?|mailto|tel):/i;
const MARGIN_PX = 24;
const HEIGHT_MAX_PX = 2_000;
/** A million elements keep the tab busy for most of a minute. */
const ELEMENTS_MAX = 20_000;
/** Each attribute that is removed is looked for among all of its element. */
const ATTRIBUTES_MAX = 100;

export interface FilledFrame {
  /** What the mail needs, in pixels. */
  readonly height: number;
  /** Whether the mail has too many elements: only its beginning is in the frame. */
  readonly isCut: boolean;
  /** The addresses of the images on other servers, in the order of the images; undefined for others. */
  readonly images: readonly (string | undefined)[];
}

/** A frame that is not filled. */
export const EMPTY_FRAME: FilledFrame = { height: 120, isCut: false, images: [] };

/** Writes the HTML of a mail into an empty frame, at most its first 20,000 elements. */
export function fillMailFrame(frame: HTMLIFrameElement, html: string): FilledFrame {
  const page = frame.contentDocument;
  if (page === null) {
    return EMPTY_FRAME;
  }
  // A parsed document is inert: nothing in it is loaded or run.
  const mail = new DOMParser().parseFromString(withoutInline(html), 'text/html');
  const isCut = cut(mail.body);
  mail.body.querySelectorAll(DROPPED).forEach((element) => element.remove());
  unwrapOverloaded(mail.body);
  const images = Array.from(mail.body.querySelectorAll('img'), remoteAddress);
  page.body.replaceChildren(...page.importNode(copyOf(mail.body), true).childNodes);
  restyle(mail.body, page.body);
  page.body.style.cssText +=
    ';margin:12px;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere';
  return { height: heightOf(page.body), isCut, images };
}

/** Returns the height that a mail needs in its frame, in pixels. */
export const heightOf = ({ scrollHeight }: HTMLElement): number =>
  Math.min(scrollHeight + MARGIN_PX, HEIGHT_MAX_PX);

/** Returns the address of an image on another server. */
function remoteAddress(image: HTMLImageElement): string | undefined {
  const address = image.getAttribute('src')?.trim() ?? '';
  return /^https?:\/\//i.test(address) ? address : undefined;
}

/** Keeps the first elements and returns whether there were more. */
function cut(body: HTMLElement): boolean {
  const next = body.getElementsByTagName('*').item(ELEMENTS_MAX);
  if (next === null) {
    return false;
  }
  const kept = body.ownerDocument.createRange();
  kept.selectNodeContents(body);
  kept.setEndBefore(next);
  body.replaceChildren(kept.cloneContents());
  return true;
}

/** Replaces the elements with more attributes than any ordinary one by what they contain. */
function unwrapOverloaded(body: HTMLElement): void {
  for (const element of body.querySelectorAll('*')) {
    if (element.attributes.length > ATTRIBUTES_MAX) {
      element.replaceWith(...element.childNodes);
    }
  }
}

/** Returns a copy whose elements have only harmless attributes. Images stay as their descriptions. */
function copyOf(body: HTMLElement): HTMLElement {
  const copy = body.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll('*')) {
    for (const { name, value } of Array.from(element.attributes)) {
      if (!KEPT.has(name) || (name === 'href' && !SAFE_LINK.test(value.trim()))) {
        element.removeAttribute(name);
      }
    }
    if (element.hasAttribute('href')) {
      element.setAttribute('target', '_blank');
      element.setAttribute('rel', 'noopener noreferrer nofollow');
    }
  }
  return copy;
}

/**
 * Sets the inline styles of the mail through the object model: the policy blocks style attributes.
 * Declarations that could load something are left out.
 */
function restyle(from: HTMLElement, to: HTMLElement): void {
  const sources = [from, ...from.querySelectorAll<HTMLElement>('*')];
  const targets = [to, ...to.querySelectorAll<HTMLElement>('*')];
  for (const [index, source] of sources.entries()) {
    const declared = document.createElement('span').style;
    declared.cssText = source.getAttribute('data-style') ?? '';
    for (const name of declared) {
      const value = declared.getPropertyValue(name);
      if (isHarmless(name, value)) {
        targets[index]?.style.setProperty(name, value);
      }
    }
  }
}
