import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** Whom an event of another slice concerns: its contact, with the tags that he has now. */
export async function aboutContact(
  work: Work,
  contactId: string | null,
): Promise<Pick<Occurrence<object>, 'contactId' | 'tags'>> {
  if (contactId === null) {
    return { contactId };
  }
  const [contact] = await work.rows<{ tags: string[] }>(TAGS, [work.subAccountId, contactId]);
  return { contactId, tags: contact?.tags ?? [] };
}

const TAGS = 'select tags from contacts where sub_account_id = $1 and id = $2';
