import { recall, remember } from './stored.ts';

type Theme = 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');
const KEY = 'theme';

const systemTheme = (): Theme => (dark.matches ? 'dark' : 'light');

/** The theme that the reader chose, or that of the system. */
export function currentTheme(): Theme {
  const chosen = recall(KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : systemTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = currentTheme();
}

/** Choosing the colors of the system again follows the system from then on. */
export function toggleTheme(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark';
  remember(KEY, theme === systemTheme() ? undefined : theme);
  applyTheme();
}

export function followSystem(onChange: () => void): void {
  dark.addEventListener('change', onChange);
}
