import { posix } from 'node:path';

/** Links of Markdown, without images; the text may contain brackets. */
const LINK = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const FENCE = /^(```[^]*?^```$)/m;

/**
 * Returns a page of `docs/` with the paths of files that only a checkout has instead of links to them.
 * Code blocks stay as they are.
 */
export const withCheckoutPaths = (markdown: string, isServed: (href: string) => boolean): string =>
  markdown
    .split(FENCE)
    .map((part) => (part.startsWith('```') ? part : withPaths(part, isServed)))
    .join('');

const withPaths = (text: string, isServed: (href: string) => boolean): string =>
  text.replaceAll(LINK, (link, label: string, href: string) => {
    if (href.startsWith('/') || isServed(href)) {
      return link;
    }
    const path = posix.join('docs', href.split('#', 1)[0] ?? '');
    const folder = path.replace(/\/README\.md$/, '');
    const named = label.replaceAll('`', '').replace(/\/$/, '');
    return [path, folder].includes(named)
      ? `\`${named}\``
      : `${label} (\`${folder}\` in the checkout)`;
  });
