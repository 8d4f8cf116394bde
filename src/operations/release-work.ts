import { RESUME } from '#platform/queue/pause.ts';
import type { Work } from '#core/work.ts';

/** Under this name audit entries know the workers of the installation. */
const WORKERS = 'workers';

/** Lets workers that are held go on, also those that were started so. */
export async function releaseWork(work: Work): Promise<void> {
  work.write(RESUME, []);
  work.audit(WORKERS);
}
