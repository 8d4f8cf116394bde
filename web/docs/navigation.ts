import { applyTheme, currentTheme, followSystem, toggleTheme } from './stored-theme.ts';

/** The menu of a phone, the theme, the place in the navigation and the outline. */
export function openNavigation(): void {
  openMenu();
  openThemeToggle();
  document
    .querySelector('.side [aria-current]')
    ?.closest('li')
    ?.scrollIntoView({ block: 'center' });
  // Only the navigation scrolls to it; the page itself starts at its top, or at its anchor.
  if (location.hash === '') {
    scrollTo(0, 0);
  }
  followReader();
}

function openMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu');
  const root = document.documentElement;
  const show = (isOpen: boolean) => {
    button?.setAttribute('aria-expanded', String(isOpen));
    root.classList.toggle('menu-open', isOpen);
  };
  button?.addEventListener('click', () => show(!root.classList.contains('menu-open')));
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && root.classList.contains('menu-open')) {
      show(false);
      button?.focus();
    }
  });
  document.querySelector('.side')?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) {
      show(false);
    }
  });
}

function openThemeToggle(): void {
  const button = document.querySelector<HTMLButtonElement>('.theme');
  const label = () =>
    button?.setAttribute(
      'aria-label',
      currentTheme() === 'dark' ? 'Use light colors' : 'Use dark colors',
    );
  const apply = () => {
    applyTheme();
    label();
  };
  button?.addEventListener('click', () => {
    toggleTheme();
    label();
  });
  followSystem(apply);
  addEventListener('storage', apply);
  label();
}

/** Below the sticky header, a section counts as read from here on. */
const READING_LINE_PX = 96;

/** Marks the section on screen in the outline, and the endpoint in the navigation of the reference. */
function followReader(): void {
  const links = [
    ...document.querySelectorAll<HTMLAnchorElement>('.outline a, .side li li a'),
  ].flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });
  if (links.length === 0) {
    return;
  }
  let isDue = false;
  const mark = () => {
    isDue = false;
    const read = links.findLast(
      ({ heading }) => heading.getBoundingClientRect().top <= READING_LINE_PX,
    );
    for (const one of links) {
      one.link.classList.toggle('here', one === read);
    }
  };
  addEventListener(
    'scroll',
    () => {
      if (!isDue) {
        isDue = true;
        requestAnimationFrame(mark);
      }
    },
    { passive: true },
  );
  mark();
}
