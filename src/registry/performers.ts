import type { Performer } from '#kit/job.ts';
import { performHousekeeping } from '../operations/housekeeping.ts';

/** Everything that the worker can do. */
export const performers: readonly Performer[] = [performHousekeeping];
