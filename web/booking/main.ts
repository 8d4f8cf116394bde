import { guessZone } from './guess-zone.ts';
import { sendOnce } from './send-once.ts';
import { swapPages } from './swap-pages.ts';
import { submitChoices } from './submit-choices.ts';

/** The pages work without all of this; it only makes them quicker. */
if (!guessZone()) {
  document.documentElement.classList.add('scripted');
  document.addEventListener('DOMContentLoaded', () => {
    // What was wrong is read out first, and is where the keyboard is.
    document.getElementById('problem')?.focus();
    submitChoices();
    sendOnce();
    swapPages();
  });
}
