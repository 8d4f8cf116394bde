/** Shows the initial of the business, which follows in a template, in place of a logo that cannot be loaded. */
export function replaceBrokenLogo(): void {
  const logo = document.querySelector<HTMLImageElement>('img.logo');
  logo
    ?.decode()
    .catch(() => logo.replaceWith((logo.nextElementSibling as HTMLTemplateElement).content));
}
