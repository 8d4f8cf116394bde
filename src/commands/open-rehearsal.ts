import type { Transact } from '#kit/work.ts';
import { entityManagers } from '#platform/orm.ts';
import { openShadow } from '#platform/shadow.ts';
import { transactor } from '#platform/transact.ts';
import { entities } from '#registry/entities.ts';
import type { Service } from './open-service.ts';

export interface Rehearsal {
  readonly transact: Transact;
  close(): Promise<void>;
}

/**
 * Works that come to the same outcome as real ones and leave nothing behind: `tables` create what
 * stands in front of the real tables. Nobody reacts to the events, for reactions write elsewhere.
 */
export function openRehearsal(
  { database, openView, clock }: Service,
  tables: readonly string[],
): Rehearsal {
  const shadow = openShadow(database, tables);
  const transact = transactor({
    database: shadow,
    entityManagers: entityManagers(entities),
    reactions: [],
    openView,
    clock,
    onEvents: () => undefined,
  });
  return { transact, close: shadow.close };
}
