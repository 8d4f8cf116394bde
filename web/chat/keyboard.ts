const FOCUSABLE = 'a[href], button, input, textarea, [tabindex="0"]';

/**
 * Handles keys within the widget: Escape closes it, Tab stays inside if it covers the page, and the
 * site's own shortcuts do not receive what the visitor types.
 */
export function handleKeys(root: HTMLElement, panel: HTMLElement, close: () => void): void {
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing && !panel.hidden) {
      event.preventDefault();
      close();
    }
    if (event.key === 'Tab' && !panel.hidden && isPhone()) {
      wrap(event, panel);
    }
  });
  for (const type of ['keydown', 'keypress', 'keyup']) {
    root.addEventListener(type, (event) => event.stopPropagation());
  }
}

function wrap(event: KeyboardEvent, panel: HTMLElement): void {
  const stops = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (one) => one.getClientRects().length > 0,
  );
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (event.target === from && to !== undefined) {
    event.preventDefault();
    to.focus();
  }
}

/** Keeps a panel that covers the page above the on-screen keyboard. */
export function followKeyboard(panel: HTMLElement): void {
  const { visualViewport } = window;
  const fit = () => {
    const isCovering = isPhone() && visualViewport !== null;
    panel.style.height = isCovering ? `${visualViewport.height}px` : '';
    panel.style.top = isCovering ? `${visualViewport.offsetTop}px` : '';
  };
  visualViewport?.addEventListener('resize', fit);
  visualViewport?.addEventListener('scroll', fit);
  fit();
}

/** The screens on which the panel covers the page; the style sheet has the same query. */
const PHONE = '(max-width: 480px), (max-height: 420px)';

export const isPhone = (): boolean => matchMedia(PHONE).matches;
