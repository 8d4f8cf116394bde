import { check } from '#core/schema/check.ts';
import type { Work } from '#core/work.ts';
import { randomBase62 } from '../keys/key-value.ts';
import { SubAccount } from './sub-account.entity.ts';
import { subAccountCreate, type SubAccountCreate } from './sub-account.schema.ts';

const LOCATION_ID_LENGTH = 20;

/**
 * Creates the sub-account with the work's id: the caller opens the work with a new id, so that the
 * audit row belongs to the sub-account. `sandbox` cannot be changed later.
 */
export async function createSubAccount(work: Work, input: SubAccountCreate): Promise<SubAccount> {
  const { em, now, subAccountId } = work;
  const fields = check(subAccountCreate, input, 'body');
  const subAccount = em.create(SubAccount, {
    ...DEFAULTS,
    ...fields,
    id: subAccountId,
    locationId: randomBase62(LOCATION_ID_LENGTH),
    createdAt: now,
    updatedAt: now,
  });
  em.persist(subAccount);
  work.audit(subAccount.id);
  return subAccount;
}

const DEFAULTS = {
  timezone: 'UTC',
  currency: 'USD',
  locale: 'en',
  brand: null,
  brandColor: null,
  logoUrl: null,
  admins: [],
  features: null,
  customValues: {},
  sandbox: false,
  deletedAt: null,
};
