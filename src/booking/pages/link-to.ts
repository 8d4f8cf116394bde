import type { JobContext } from '#core/job.ts';
import { manageLink, type Managed } from './manage/manage-link.ts';

/** Where a customer sees, moves and cancels his appointment, as a job writes it to him. */
export const linkTo = (
  { tools, settings }: Pick<JobContext, 'tools' | 'settings'>,
  managed: Managed,
): string => manageLink(tools.secrets, settings.baseUrl, managed);
