import { Fault } from '#kit/fault.ts';
import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import { normalised } from '../contacts/addresses.ts';
import { insertContacts } from '../contacts/insert-contacts.ts';
import { newContact } from '../contacts/new-contact.ts';
import { findSender } from '../conversations/find-sender.ts';
import { holdNames } from '../conversations/hold-names.ts';

const NAME_MAX = 200;
/** Every contact has a last name; what was not said is a dash. */
const UNSAID = '–';

interface Visitor {
  readonly visitorName: string;
  readonly visitorEmail?: string;
}

/**
 * The contact of a visitor: whoever has the email, unchanged, since anybody can type it; else a new
 * one. What custom fields require, nobody asked him.
 */
export async function findVisitor(work: Work, visitor: Visitor): Promise<string> {
  const { visitorEmail: email } = visitor;
  if (email === undefined) {
    return addVisitor(work, visitor);
  }
  await holdNames(work, [JSON.stringify(['sender', normalised(email)])]);
  const known = await findSender(work, 'email', email);
  return known?.contactId ?? addVisitor(work, visitor);
}

async function addVisitor(work: Work, { visitorName, visitorEmail }: Visitor): Promise<string> {
  const [first = '', ...rest] = visitorName.trim().split(/\s+/);
  const contact = newContact(work, [], newId(work.now), {
    firstName: first.slice(0, NAME_MAX),
    lastName: rest.join(' ').slice(0, NAME_MAX) || UNSAID,
    source: 'live_chat',
    ...(visitorEmail !== undefined && { email: visitorEmail }),
  });
  await insertContacts(work, [contact]);
  work.again('contact_emails_pkey');
  work.explain('contact_emails_pkey', again);
  return contact.id;
}

/** A caller with a key made the contact this moment: the next try finds it. */
const again = () =>
  new Fault('SERVICE_UNAVAILABLE', 'the contact is being changed; send this again', undefined, {
    'retry-after': '1',
  });
