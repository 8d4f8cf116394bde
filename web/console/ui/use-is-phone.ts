import { useSyncExternalStore } from 'react';

const query = matchMedia('(max-width: 45rem)');

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Returns whether the window is as narrow as a phone, where the style sheets have their own rules. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => query.matches);
