/** Prevents a second submission while a form is being sent, and shows that it is. */
export function sendOnce(): void {
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
