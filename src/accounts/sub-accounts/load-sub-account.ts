import { notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { SubAccount } from './sub-account.entity.ts';

/** Returns the work's sub-account. Throws `NOT_FOUND` once it is deleted. */
export async function loadSubAccount({ em, subAccountId }: Work): Promise<SubAccount> {
  const found = await em.findOne(SubAccount, { id: subAccountId, deletedAt: null });
  if (!found) {
    throw notFound('sub-account');
  }
  return found;
}
