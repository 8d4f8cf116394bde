const TIMEOUT_MS = 10_000;

/**
 * Follows links between days and times without a page load. If that fails, the page is loaded.
 * `swapped` is called with each new page.
 */
export function swapPages(swapped: () => void): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !('swap' in link.dataset) || !isPlain || event.altKey) {
      return;
    }
    event.preventDefault();
    const { href } = link;
    void swap(href, swapped, (address) => history.pushState(null, '', address));
  });
  window.addEventListener('popstate', () => {
    void swap(location.href, swapped, () => undefined);
  });
}

/** The number of the latest navigation: earlier ones that finish later are dropped. */
let latest = 0;

async function swap(
  href: string,
  swapped: () => void,
  addToHistory: (address: string) => void,
): Promise<void> {
  const navigation = (latest += 1);
  const page = document.getElementById('page');
  page?.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const main = next.getElementById('page');
    if (navigation !== latest) {
      return;
    }
    if (!response.ok || !page || !main) {
      location.assign(href);
      return;
    }
    addToHistory(href.replace(/#.*/, ''));
    document.title = next.title;
    page.replaceWith(document.adoptNode(main));
    swapped();
    focusResult(main, new URL(href).hash.slice(1));
  } catch {
    if (navigation === latest) {
      location.assign(href);
    }
  }
}

/** Moves the focus to the result of the choice, so that screen readers announce it. */
function focusResult(main: HTMLElement, part: string): void {
  const place = part ? main.querySelector(`#${CSS.escape(part)} h2`) : null;
  const heading = place ?? main.querySelector('.details h2, .when h2');
  if (heading instanceof HTMLElement) {
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: 'nearest' });
  }
  if (main.querySelector('.details')) {
    window.scrollTo({ top: 0 });
  }
}
