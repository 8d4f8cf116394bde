/**
 * Asks for the page again in the visitor's own time zone, where he has not chosen one: before
 * anything of it was shown. Says whether it did.
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
