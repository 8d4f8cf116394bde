import { LockMode } from '@mikro-orm/core';
import { notFound } from '#kit/fault.ts';
import type { Work } from '#kit/work.ts';
import { Conversation } from './conversation.entity.ts';

/** The live conversation, held against other writers until this work is done. */
export async function lockConversation(
  { em, subAccountId }: Work,
  id: string,
): Promise<Conversation> {
  const conversation = await em.findOne(
    Conversation,
    { subAccountId, id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!conversation) {
    throw notFound('conversation');
  }
  return conversation;
}
