import type { Work } from '#core/work.ts';
import { loadSubAccount } from './sub-account.store.ts';
import { invalidField } from '#core/fault.ts';

/** Soft-deletes the work's sub-account. Its keys return `KEY_REVOKED` from now on. */
export async function deleteSubAccount(work: Work): Promise<void> {
  const subAccount = await loadSubAccount(work);
  subAccount.deletedAt = work.now;
  subAccount.updatedAt = work.now;
  work.audit(subAccount.id);
}

/** Closes the work's sub-account. Throws VALIDATION_ERROR unless its name is repeated. */
export async function closeSubAccount(work: Work, name: string): Promise<void> {
  const subAccount = await loadSubAccount(work);
  if (name.trim() !== subAccount.name.trim()) {
    throw invalidField('/name', `must be the name of the sub-account, ${subAccount.name}`);
  }
  await deleteSubAccount(work);
}
