import { check } from '#core/schema/check.ts';
import type { Work } from '#core/work.ts';
import { loadSubAccount } from './sub-account.store.ts';
import type { SubAccount } from './sub-account.entity.ts';
import { subAccountPatch, type SubAccountPatch } from './sub-account.schema.ts';

/** Changes the given fields of the work's sub-account. Without a difference, nothing is audited. */
export async function updateSubAccount(work: Work, input: SubAccountPatch): Promise<SubAccount> {
  const fields = check(subAccountPatch, input, 'body');
  const subAccount = await loadSubAccount(work);
  const stored: SubAccountPatch = subAccount;
  const members = Object.keys(fields) as (keyof SubAccountPatch)[];
  if (members.some((member) => fields[member] !== stored[member])) {
    work.em.assign(subAccount, { ...fields, updatedAt: work.now });
    work.audit(subAccount.id);
  }
  return subAccount;
}
