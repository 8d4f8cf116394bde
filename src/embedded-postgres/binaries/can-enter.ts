import { codeOf, messageOf, refuse, SET_DATABASE_URL } from '../refuse.ts';
import { run } from '#platform/process/run.ts';
import type { ServerUser } from '../cluster/server-user.ts';

/** Asks the system itself, as that user: modes alone do not tell of ACLs and of folders above. */
export async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { user });
    return true;
  } catch (error) {
    // A system error instead of an answer: a container may forbid to become another user.
    if (codeOf(error) !== undefined) {
      throw refuse(
        `cannot become user ${user.name}, as root it has to (${messageOf(error)}); ` +
          `run as another user, or ${SET_DATABASE_URL}`,
      );
    }
    return false;
  }
}
