import { guessZone } from './guess-zone.ts';
import { sendOnce } from './send-once.ts';
import { swapPages } from './swap-pages.ts';
import { submitChoices } from './submit-choices.ts';

/** Progressive enhancement: the pages work without all of this. */
if (!guessZone()) {
  document.documentElement.classList.add('scripted');
  document.addEventListener('DOMContentLoaded', () => {
    // Focus the error summary, so that screen readers announce it first.
    document.getElementById('problem')?.focus();
    submitChoices();
    sendOnce();
    swapPages();
  });
}
