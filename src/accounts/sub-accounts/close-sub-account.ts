import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { deleteSubAccount } from './delete-sub-account.ts';
import { loadSubAccount } from './sub-account.store.ts';

/** Closes the work's sub-account. Throws VALIDATION_ERROR unless its name is repeated. */
export async function closeSubAccount(work: Work, name: string): Promise<void> {
  const subAccount = await loadSubAccount(work);
  if (name.trim() !== subAccount.name.trim()) {
    throw invalidField('/name', `must be the name of the sub-account, ${subAccount.name}`);
  }
  await deleteSubAccount(work);
}
