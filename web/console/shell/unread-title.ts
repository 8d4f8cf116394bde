import { useEffect } from 'react';

const NAME = 'Frontdesk';

/** Shows the page's name and the number of unread conversations in the title and the icon. */
export function useUnreadTitle(page: string, unread: number): void {
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${page} · ${NAME}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) {
      icon.href = iconOf(unread);
    }
  }, [page, unread]);
}

/** An SVG as an address: a speech bubble, with a dot if there is something to read. */
const iconOf = (unread: number): string => {
  const dot = unread > 0 ? '<circle cx="25" cy="7" r="7" fill="#e5484d"/>' : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="1" y="3" width="28" height="24" rx="7" fill="#2f54d6"/><path d="M9 27v5l7-5z" fill="#2f54d6"/><path d="M9 12h12M9 18h8" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>${dot}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
