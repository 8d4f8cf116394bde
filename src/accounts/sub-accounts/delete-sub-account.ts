import type { Work } from '#core/work.ts';
import { loadSubAccount } from './sub-account.store.ts';

/** Soft-deletes the work's sub-account. Its keys return `KEY_REVOKED` from now on. */
export async function deleteSubAccount(work: Work): Promise<void> {
  const subAccount = await loadSubAccount(work);
  subAccount.deletedAt = work.now;
  subAccount.updatedAt = work.now;
  work.audit(subAccount.id);
}
