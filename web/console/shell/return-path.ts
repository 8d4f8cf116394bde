import { stored } from '../ui/stored.ts';
import { BASE } from './sub-account-path.ts';

/** Longer than a mailed link works. */
const KEPT_MS = 20 * 60_000;

const place = stored('return-path');

/**
 * Remembers the page that a visitor wanted to see before signing in: mailed links and other systems
 * lead back to the start of the console.
 */
export const rememberPage = (): void =>
  place.write(JSON.stringify({ at: Date.now(), path: location.pathname + location.search }));

/** The page that is not about one sub-account. */
const AUTHORIZE = `${BASE}/authorize`;

/**
 * Returns the remembered page, once; undefined if there is none. After a link that opens a sub-account,
 * a page of another one does not count.
 */
export function takePage(opens?: string): string | undefined {
  const text = place.read();
  place.write(undefined);
  try {
    const { at, path } = JSON.parse(text ?? '{}') as { at?: number; path?: string };
    const isFresh = at !== undefined && Date.now() - at < KEPT_MS;
    return isFresh && path?.startsWith(`${BASE}/`) && isWithin(path, opens) ? path : undefined;
  } catch {
    return undefined;
  }
}

const isWithin = (path: string, subAccountId: string | undefined): boolean =>
  subAccountId === undefined ||
  path.startsWith(`${BASE}/${subAccountId}/`) ||
  path.split('?')[0] === AUTHORIZE;
