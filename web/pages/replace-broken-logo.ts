/** Shows the initial of the business in place of a logo that cannot be loaded. */
export function replaceBrokenLogo(): void {
  const logo = document.querySelector<HTMLImageElement>('img.logo');
  logo?.decode().catch(() => {
    const initial = document.createElement('span');
    initial.className = 'initial';
    initial.ariaHidden = 'true';
    initial.textContent = logo.dataset['initial'] ?? '';
    logo.replaceWith(initial);
  });
}
