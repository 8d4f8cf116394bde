import { isPhone } from './phone.ts';

const FOCUSABLE = 'a[href], button, input, textarea, [tabindex="0"]';

/**
 * Keys within the widget are its own: Escape closes it, Tab stays inside where it covers the page,
 * and the site's own shortcuts hear nothing of what the visitor writes.
 */
export function holdKeys(root: HTMLElement, panel: HTMLElement, close: () => void): void {
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

/** Keeps a panel that covers the page above the keyboard on the screen. */
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
