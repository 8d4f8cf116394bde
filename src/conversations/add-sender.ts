import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import { insertContacts } from '../contacts/insert-contacts.ts';
import { newContact } from '../contacts/new-contact.ts';
import { addressKind } from './address-kind.ts';
import type { Channel } from './conversation.shape.ts';
import type { Sender } from './find-sender.ts';

const NAME_MAX = 200;
/** Every contact has a last name; what was not said is a dash. */
const UNSAID = '–';

/** Makes a contact of whoever wrote first. What custom fields require, nobody could ask him. */
export async function addSender(
  work: Work,
  channel: Channel,
  { from, contactName = '' }: { readonly from: string; readonly contactName?: string },
): Promise<Sender> {
  const kind = addressKind(channel, from);
  const contact = newContact(work, [], newId(work.now), {
    ...namesOf(contactName, from),
    source: channel,
    ...(kind !== 'other' && { [kind]: from }),
  });
  await insertContacts(work, [contact]);
  return { contactId: contact.id, tags: contact.tags };
}

function namesOf(contactName: string, from: string) {
  const [first = '', ...rest] = contactName.trim().split(/\s+/);
  return {
    firstName: (first || from).slice(0, NAME_MAX),
    lastName: rest.join(' ').slice(0, NAME_MAX) || UNSAID,
  };
}
