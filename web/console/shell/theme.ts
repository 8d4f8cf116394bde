import { useState } from 'react';
import { stored } from '../ui/stored.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const chosen = stored('theme');

const currentTheme = (): Theme => THEMES.find((theme) => theme === chosen.read()) ?? 'system';

/** Shows the chosen theme; `system` follows the system's. */
export function applyTheme(theme = currentTheme()): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
  } else {
    document.documentElement.dataset['theme'] = theme;
  }
}

/** Returns the chosen theme, and the function that changes it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(currentTheme);
  return [
    theme,
    (next) => {
      chosen.write(next === 'system' ? undefined : next);
      applyTheme(next);
      setTheme(next);
    },
  ];
}
