import type { Work } from '#core/work.ts';
import { loadSubAccount } from './load-sub-account.ts';

/** Closes the work's sub-account. Its rows stay; its keys answer KEY_REVOKED from now on. */
export async function deleteSubAccount(work: Work): Promise<void> {
  const subAccount = await loadSubAccount(work);
  subAccount.deletedAt = work.now;
  subAccount.updatedAt = work.now;
  work.audit(subAccount.id);
}
