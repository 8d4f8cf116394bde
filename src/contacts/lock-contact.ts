import { LockMode } from '@mikro-orm/core';
import { notFound } from '#kit/fault.ts';
import type { Work } from '#kit/work.ts';
import { Contact } from './contact.entity.ts';

/** The live contact, held against other writers until this work is done. */
export async function lockContact({ em, subAccountId }: Work, id: string): Promise<Contact> {
  const contact = await em.findOne(
    Contact,
    { subAccountId, id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!contact) {
    throw notFound('contact');
  }
  return contact;
}
