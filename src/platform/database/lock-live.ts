import { LockMode, type EntityName } from '@mikro-orm/core';
import { notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';

/** Returns a function that locks a live record until the transaction ends, or throws NOT_FOUND. */
export const lockerOf =
  <E extends object>(noun: string, entity: EntityName<E>) =>
  async ({ em, subAccountId }: Work, id: string): Promise<E> => {
    const live = { subAccountId, id, deletedAt: null } as never;
    const found = await em.findOne(entity, live, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) {
      throw notFound(noun);
    }
    return found;
  };
