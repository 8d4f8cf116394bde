/** A form that is under way is not sent again, and says that it is. */
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
    const says = button.textContent;
    button.ariaDisabled = 'true';
    button.textContent = button.dataset['busy'] ?? says;
    // Whoever comes back to the page finds it as it was.
    window.addEventListener('pageshow', () => {
      button.ariaDisabled = null;
      button.textContent = says;
    });
  });
}
