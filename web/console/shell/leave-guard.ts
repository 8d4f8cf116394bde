import type { AroundNavHandler } from 'wouter';

/** Called instead of leaving the page; `leave` does what was asked for. */
export type LeaveGuard = (leave: () => void) => void;

interface Guarded {
  readonly ask: LeaveGuard;
  /** The address of the guarded page. */
  readonly href: string;
}

/** At most one form is guarded: a page has one. */
let guarded: Guarded | undefined;

const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** Sets the guard of the page. Returns the function that removes it. */
export function guardLeaving(ask: LeaveGuard): () => void {
  guarded = { ask, href: location.href };
  addEventListener('beforeunload', onUnload);
  return () => {
    guarded = undefined;
    removeEventListener('beforeunload', onUnload);
  };
}

/** Whether two addresses show the same page and tab; their dialogs may differ. */
function isSamePage(one: string, other: string): boolean {
  const [a, b] = [new URL(one, location.href), new URL(other, location.href)];
  return a.pathname === b.pathname && a.searchParams.get('tab') === b.searchParams.get('tab');
}

/** Wraps the navigation of the console: a guarded page asks before another page or tab is opened. */
export const guardedNavigation: AroundNavHandler = (navigate, to, options) => {
  if (guarded === undefined || isSamePage(to, location.href)) {
    navigate(to, options);
    return;
  }
  guarded.ask(() => navigate(to, options));
};

/**
 * Starts to ask before the browser's Back leaves a guarded page. Must run before the router listens:
 * windows call listeners of `popstate` in the order in which they were added.
 */
export function guardBack(): void {
  addEventListener('popstate', (event) => {
    if (guarded === undefined || isSamePage(location.href, guarded.href)) {
      return;
    }
    // The page stays until the question is answered: its address comes back.
    event.stopImmediatePropagation();
    history.pushState(null, '', guarded.href);
    guarded.ask(() => history.back());
  });
}
