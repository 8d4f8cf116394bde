import type { Work } from '#core/work.ts';
import { createMinimalContact } from '../contacts/create-minimal-contact.ts';
import { findSender } from '../conversations/inbound/find-sender.ts';
import { lockNames, senderName } from '../conversations/inbound/lock-names.ts';

interface Visitor {
  readonly visitorName: string;
  readonly visitorEmail?: string;
}

/** The contact of a visitor: whoever has the email, unchanged, since anybody can type it; else a new one. */
export async function findVisitor(work: Work, visitor: Visitor): Promise<string> {
  const { visitorName: fullName, visitorEmail: email } = visitor;
  if (email !== undefined) {
    await lockNames(work, [senderName(email)]);
    const known = await findSender(work, 'email', email);
    if (known) {
      return known.contactId;
    }
  }
  const stranger = { fullName, source: 'live_chat', ...(email !== undefined && { email }) };
  return (await createMinimalContact(work, stranger)).contactId;
}
