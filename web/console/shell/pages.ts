import type { IconName } from '../ui/icons.tsx';

/** The pages of the navigation, in its order; each has its own script. */
export const PAGES = [
  { id: 'inbox', icon: 'inbox' },
  { id: 'contacts', icon: 'contacts' },
  { id: 'calendar', icon: 'calendar' },
  { id: 'opportunities', icon: 'opportunities' },
  { id: 'tasks', icon: 'tasks' },
  { id: 'campaigns', icon: 'campaigns' },
  { id: 'workflows', icon: 'workflows' },
  { id: 'webhooks', icon: 'webhooks' },
  { id: 'approvals', icon: 'approvals' },
  { id: 'settings', icon: 'settings' },
] as const satisfies readonly { readonly id: string; readonly icon: IconName }[];
