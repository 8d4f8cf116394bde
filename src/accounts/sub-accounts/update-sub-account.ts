import { check } from '#core/schema/check.ts';
import type { Work } from '#core/work.ts';
import { loadSubAccount } from './load-sub-account.ts';
import type { SubAccount } from './sub-account.entity.ts';
import { subAccountPatch, type SubAccountPatch } from './sub-account.schema.ts';

/** Changes what is given of the work's sub-account; what stays the same leaves no audit row. */
export async function updateSubAccount(work: Work, input: SubAccountPatch): Promise<SubAccount> {
  const given = check(subAccountPatch, input, 'body');
  const subAccount = await loadSubAccount(work);
  const stored: SubAccountPatch = subAccount;
  const members = Object.keys(given) as (keyof SubAccountPatch)[];
  if (members.some((member) => given[member] !== stored[member])) {
    work.em.assign(subAccount, { ...given, updatedAt: work.now });
    work.audit(subAccount.id);
  }
  return subAccount;
}
