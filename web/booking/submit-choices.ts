/** Applies a time zone as soon as it is chosen. */
export function submitChoices(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) {
      target.form?.requestSubmit();
    }
  });
}
