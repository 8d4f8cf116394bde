import type { Work } from '#kit/work.ts';
import { addStranger } from '../contacts/add-stranger.ts';
import { findSender } from '../conversations/find-sender.ts';
import { holdNames, senderName } from '../conversations/hold-names.ts';

interface Visitor {
  readonly visitorName: string;
  readonly visitorEmail?: string;
}

/** The contact of a visitor: whoever has the email, unchanged, since anybody can type it; else a new one. */
export async function findVisitor(work: Work, visitor: Visitor): Promise<string> {
  const { visitorName: called, visitorEmail: email } = visitor;
  if (email !== undefined) {
    await holdNames(work, [senderName(email)]);
    const known = await findSender(work, 'email', email);
    if (known) {
      return known.contactId;
    }
  }
  const stranger = { called, source: 'live_chat', ...(email !== undefined && { email }) };
  return (await addStranger(work, stranger)).contactId;
}
