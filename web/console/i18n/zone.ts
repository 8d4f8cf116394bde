import { use } from 'react';
import { PlaceContext } from '../api/session.ts';

const canonical = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

/** The zone of pages about the installation and of the user's own settings. */
export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the zone of all times of a sub-account's pages: that of the sub-account, elsewhere the browser's. */
export const useZone = (): string => use(PlaceContext)?.membership.timezone ?? BROWSER_ZONE;

/** Returns the zone of the sub-account if it is not the browser's; names of one zone count as the same. */
export function useForeignZone(): string | undefined {
  const zone = useZone();
  return canonical(zone) === canonical(BROWSER_ZONE) ? undefined : zone;
}
