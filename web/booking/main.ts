import { replaceBrokenLogo } from '../pages/replace-broken-logo.ts';
import { searchZones } from './search-zones.ts';
import { swapPages } from './swap-pages.ts';

/** Runs for each page, also for those that are swapped in. */
const enhance = () => {
  searchZones();
  replaceBrokenLogo();
};

/** Progressive enhancement: the pages work without all of this. */
if (!guessChoices()) {
  document.documentElement.classList.add('scripted');
  document.addEventListener('DOMContentLoaded', () => {
    // Focus the error summary, so that screen readers announce it first.
    document.getElementById('problem')?.focus();
    submitChoices();
    sendOnce();
    enhance();
    swapPages(enhance);
  });
}

/**
 * Reloads the page in the visitor's own time zone, and with their clock of 12 or 24 hours, if none was
 * chosen, before anything is shown. Returns whether it did.
 */
function guessChoices(): boolean {
  const { zone, clock } = document.documentElement.dataset;
  if (!zone) {
    return false;
  }
  const { timeZone: ownZone } = Intl.DateTimeFormat().resolvedOptions();
  const { hour12 } = Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
  const address = new URL(location.href);
  const choose = (name: string, own: string, shown: string | undefined): boolean => {
    if (!own || own === shown || address.searchParams.has(name)) {
      return false;
    }
    address.searchParams.set(name, own);
    return true;
  };
  const isOtherZone = choose('tz', ownZone, zone);
  const isOtherClock = choose('clock', hour12 ? '12' : '24', clock);
  if (isOtherZone || isOtherClock) {
    location.replace(address);
  }
  return isOtherZone || isOtherClock;
}

/** Prevents a second submission while a form is being sent, and shows that it is. */
function sendOnce(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !('once' in form.dataset)) {
      return;
    }
    const button = form.querySelector<HTMLButtonElement>('button[data-busy]');
    if (!button || button.ariaDisabled === 'true') {
      event.preventDefault();
      return;
    }
    const label = button.textContent;
    button.ariaDisabled = 'true';
    button.textContent = button.dataset['busy'] ?? label;
    // Reset the form when the visitor navigates back to the page.
    window.addEventListener('pageshow', () => {
      button.ariaDisabled = null;
      button.textContent = label;
    });
  });
}

/** Applies a time zone as soon as it is chosen. */
function submitChoices(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.closest('.zone')) {
      target.form?.requestSubmit();
    }
  });
}
