import { LockMode } from '@mikro-orm/core';
import { Fault, notFound } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { ApiKey } from './api-key.entity.ts';
import { loadSubAccount } from '../sub-accounts/load-sub-account.ts';

/** A key of the work's sub-account, or of the agency; locked, so that two changes come in turn. */
export async function loadKey({ em, subAccountId }: Work, id: string): Promise<ApiKey> {
  const owner = subAccountId === AGENCY ? null : subAccountId;
  const key = await em.findOne(
    ApiKey,
    { id, subAccountId: owner },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!key) {
    throw notFound('API key');
  }
  return key;
}

/** The same, refused where the key has come to its end: what has ended is not brought back. */
export async function loadActiveKey(work: Work, id: string): Promise<ApiKey> {
  if (work.subAccountId !== AGENCY) {
    await loadSubAccount(work);
  }
  const key = await loadKey(work, id);
  const state = key.stateAt(work.now);
  if (state !== 'active') {
    throw new Fault('VALIDATION_ERROR', `this API key is ${state}; create another one`);
  }
  return key;
}
