import { useIsAdmin, useIsIntegrator } from '../api/session.ts';
import type { Membership } from '../api/console-types.ts';
import type { IconName } from '../ui/icons.tsx';

/** The pages of the navigation, in its order; each has its own script. `isForAdmins`: refused to other roles. */
export const PAGES = [
  { id: 'inbox', icon: 'inbox' },
  { id: 'contacts', icon: 'contacts' },
  { id: 'calendar', icon: 'calendar' },
  { id: 'opportunities', icon: 'opportunities' },
  { id: 'tasks', icon: 'tasks' },
  { id: 'campaigns', icon: 'campaigns', isForAdmins: true },
  { id: 'workflows', icon: 'workflows', isForAdmins: true },
  { id: 'webhooks', icon: 'webhooks', isForAdmins: true },
  { id: 'approvals', icon: 'approvals', isForAdmins: true },
  { id: 'settings', icon: 'settings', isForAdmins: true },
] as const satisfies readonly {
  readonly id: string;
  readonly icon: IconName;
  readonly isForAdmins?: true;
}[];

export type PageId = (typeof PAGES)[number]['id'];

/** Returns the pages that the role of the user may open. */
export function usePages() {
  const isAdmin = useIsAdmin();
  const isIntegrator = useIsIntegrator();
  return PAGES.filter((page) =>
    isIntegrator ? page.id === 'webhooks' : isAdmin || !('isForAdmins' in page),
  );
}

/** The page that opens first. */
export const startPageOf = ({ role }: Membership): PageId =>
  role === 'integrator' ? 'webhooks' : 'inbox';
