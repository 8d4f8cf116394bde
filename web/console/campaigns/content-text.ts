const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Web addresses, without the punctuation that ends their sentence. */
const LINK = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/;

/** Returns plain text as HTML: blank lines separate paragraphs, and web addresses become links. */
export const htmlOfText = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.split('\n').map(lineOf).join('<br>')}</p>`)
    .join('\n');

/** Every other part of a line that is split by its links is a link. */
const lineOf = (line: string): string =>
  line
    .split(LINK)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : linkTo(escaped(part))))
    .join('');

const linkTo = (url: string): string => `<a href="${url}">${url}</a>`;

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** Returns the text of HTML that `htmlOfText` made; undefined for other HTML. */
export function textOfHtml(html: string): string | undefined {
  const text = html
    .replaceAll(/<a href="[^"]*">([^<]*)<\/a>/g, '$1')
    .replaceAll('<br>', '\n')
    .replaceAll('</p>\n<p>', '\n\n')
    .replaceAll(/^<p>|<\/p>$/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  return htmlOfText(text) === html ? text : undefined;
}
