/** What the widget has put before the site's own title. */
let prefix = '';

/** Shows the number of unread messages in the title of the page, which a background tab shows. */
export function showInTitle(unread: number): void {
  const next = unread > 0 ? `(${unread}) ` : '';
  if (next !== prefix) {
    const { title } = document;
    document.title = next + (title.startsWith(prefix) ? title.slice(prefix.length) : title);
    prefix = next;
  }
}
