import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { addressesOf, emailKeysOf, moveEmails, type EmailsInput } from './claim-addresses.ts';
import {
  announceChange,
  changeOf,
  type ChangeLimits,
  type ContactChange,
} from './contact-change.ts';
import type { Contact } from './contact.entity.ts';
import type { ContactPatch } from './contact.schema.ts';
import { lockContact } from './contact.store.ts';

/** Changes the given fields only. If nothing differs, nothing is written or emitted. */
export async function updateContact(work: Work, id: string, patch: ContactPatch): Promise<void> {
  const contact = await lockContact(work, id);
  await changeContact(work, contact, patch);
}

interface ChangeOptions extends ChangeLimits {
  /** The contact's current email claims; by default those of its emails. */
  readonly heldEmails?: readonly string[];
  /** The emails of the body, to point to one of them; by default those of the patch. */
  readonly given?: EmailsInput;
}

/** Changes a contact that is already locked. */
export async function changeContact(
  work: Work,
  contact: Contact,
  patch: ContactPatch,
  options: ChangeOptions = {},
): Promise<void> {
  const { heldEmails = emailKeysOf(contact), given = options.blamed ?? patch } = options;
  const change = await changeOf(work, contact, patch, options);
  if (change) {
    await applyChange(work, contact, change, { heldEmails, given });
  }
}

async function applyChange(
  work: Work,
  contact: Contact,
  change: ContactChange,
  { heldEmails, given }: Required<Pick<ChangeOptions, 'heldEmails' | 'given'>>,
): Promise<void> {
  const { after } = change;
  Object.assign(contact, after);
  contact.updatedAt = work.now;
  contact.addresses = addressesOf(contact);
  moveEmails(work, contact.id, heldEmails, emailKeysOf(after), given);
  refuseUnknownAssignee(work, 'contacts');
  work.audit(contact.id);
  await announceChange(work, contact.id, change);
}
