/**
 * Reloads the page in the visitor's own time zone if none was chosen, before anything is shown.
 * Returns whether it did.
 */
export function guessZone(): boolean {
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
