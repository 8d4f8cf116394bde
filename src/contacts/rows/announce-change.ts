import type { Work } from '#core/work.ts';
import type { ContactChange } from './contact-change.ts';
import { contactLifecycleChanged, contactTagAdded, contactUpdated } from '../contact.events.ts';
import { addedTags } from './tags.ts';

/** Fires what a change is to others: an update, each tag that is new, another stage. */
export async function announceChange(
  work: Work,
  contactId: string,
  { before, after }: ContactChange,
): Promise<void> {
  const { tags, firstName, lastName, lifecycleStage } = after;
  const { email = null, phone = null, company = null } = after;
  await work.emit(contactUpdated, {
    contactId,
    tags,
    data: { firstName, lastName, email, phone, company, lifecycleStage },
  });
  for (const tagName of addedTags(before.tags, tags)) {
    await work.emit(contactTagAdded, { contactId, tags, data: { tagName } });
  }
  if (before.lifecycleStage !== lifecycleStage) {
    const data = { newStage: lifecycleStage, previousStage: before.lifecycleStage };
    await work.emit(contactLifecycleChanged, { contactId, tags, data });
  }
}
