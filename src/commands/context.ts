import type { Actor } from '#core/work.ts';
import type { Service } from './server/open-service.ts';

/** What a command of `frontdesk admin` works with: the service, and who asks it to. */
export interface AdminContext extends Service {
  readonly actor: Actor;
}
