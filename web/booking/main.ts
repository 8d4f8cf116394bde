import { swapPages } from './swap-pages.ts';

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

/**
 * Reloads the page in the visitor's own time zone if none was chosen, before anything is shown.
 * Returns whether it did.
 */
function guessZone(): boolean {
  const { zone } = document.documentElement.dataset;
  const { timeZone: own } = Intl.DateTimeFormat().resolvedOptions();
  const address = new URL(location.href);
  if (!zone || !own || own === zone || address.searchParams.has('tz')) {
    return false;
  }
  address.searchParams.set('tz', own);
  location.replace(address);
  return true;
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
    if (target instanceof HTMLSelectElement) {
      target.form?.requestSubmit();
    }
  });
}
