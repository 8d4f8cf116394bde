import { reactTo, type Reaction } from '#kit/event.ts';
import { contactDeleted, contactMerged } from '../contacts/contact.events.ts';
import { deleteConversationsOfContact } from '../conversations/delete-conversations-of-contact.ts';
import { moveConversationsOfContact } from '../conversations/move-conversations-of-contact.ts';
import { moveOpportunitiesOfContact } from '../opportunities/move-opportunities-of-contact.ts';
import { cancelTasksOfContact } from '../tasks/cancel-tasks-of-contact.ts';
import { moveTasksOfContact } from '../tasks/move-tasks-of-contact.ts';

/** Who acts, in the same transaction, on what another slice announces. */
export const reactions: readonly Reaction[] = [
  reactTo(contactDeleted, deleteConversationsOfContact),
  reactTo(contactDeleted, cancelTasksOfContact),
  reactTo(contactMerged, moveConversationsOfContact),
  reactTo(contactMerged, moveOpportunitiesOfContact),
  reactTo(contactMerged, moveTasksOfContact),
];
