/** Runs before the page is drawn, so that it never shows the other colors first. */
import { applyTheme } from './stored-theme.ts';

document.documentElement.classList.add('js');
applyTheme();
