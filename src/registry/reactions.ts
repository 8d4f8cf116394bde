import { reactTo, type Reaction } from '#core/work.ts';
import { keyNarrowed } from '../accounts/keys/key.events.ts';
import { externalCalendarChanged, memberRemoved } from '../accounts/team/member.events.ts';
import { voidApprovals } from '../agents/approvals/decide-approval.ts';
import {
  appointmentBooked,
  appointmentCancelled,
  appointmentReassigned,
  appointmentRescheduled,
} from '../booking/appointments/appointment.events.ts';
import {
  onExternalDelete,
  syncUpcoming,
  queueSync,
  queueSyncAgain,
} from '../booking/calendar-sync/sync-reactions.ts';
import {
  cancelAppointmentsOfContact,
  moveAppointmentsOfContact,
} from '../booking/appointments/contact-reactions.ts';
import {
  replanReminders,
  queueNotices,
  queueNoticesAgain,
} from '../booking/notices/queue-notices.ts';
import { reassignAppointments } from '../booking/appointments/reassign-appointments.ts';
import {
  leaveWithContact,
  moveWaitingOfContact,
  offerFreed,
} from '../booking/waiting/waiting-reactions.ts';
import { remindersChanged } from '../calendars/calendar.events.ts';
import { eventDeletedOutside } from '../calendars/external/external.events.ts';
import { forgetExternal } from '../calendars/external/refresh-external.ts';
import { failBounced } from '../campaigns/delivery/fail-bounced.ts';
import { moveRecipientsOfContact } from '../campaigns/audience/move-recipients-of-contact.ts';
import { moveEstimatesOfContact } from '../catalog/estimates.section.ts';
import { contactDeleted, contactMerged } from '../contacts/contact.events.ts';
import { markMergedContact } from '../contacts/engagement/score-contacts.ts';
import {
  deleteConversationsOfContact,
  moveConversationsOfContact,
} from '../conversations/threads/conversations-of-contact.ts';
import { mailBounced } from '../conversations/mail.events.ts';
import { deleteFilesOfContact } from '../forms/form-files.ts';
import { moveSubmissionsOfContact } from '../forms/submit-form.ts';
import { moveInvoicesOfContact } from '../invoices/record-invoice.ts';
import { moveOpportunitiesOfContact } from '../opportunities/opportunity.store.ts';
import { cancelTasksOfContact, moveTasksOfContact } from '../tasks/contact-reactions.ts';
import { recheckSubscriptions } from '../webhooks/agents/agent-access.ts';
import { cancelRunsOfContact } from '../workflows/runs/cancel-runs.ts';
import { moveRunsOfContact } from '../workflows/runs/move-runs-of-contact.ts';

/** Functions that react to events of other slices, in the same transaction. */
export const reactions: readonly Reaction[] = [
  reactTo(keyNarrowed, voidApprovals),
  reactTo(keyNarrowed, recheckSubscriptions),
  reactTo(contactDeleted, deleteConversationsOfContact),
  reactTo(contactDeleted, deleteFilesOfContact),
  reactTo(contactDeleted, cancelAppointmentsOfContact),
  reactTo(contactDeleted, leaveWithContact),
  reactTo(contactDeleted, cancelTasksOfContact),
  reactTo(contactDeleted, cancelRunsOfContact),
  reactTo(contactMerged, moveConversationsOfContact),
  reactTo(contactMerged, moveAppointmentsOfContact),
  reactTo(contactMerged, moveWaitingOfContact),
  reactTo(appointmentCancelled, offerFreed),
  reactTo(appointmentRescheduled, offerFreed),
  reactTo(contactMerged, moveOpportunitiesOfContact),
  reactTo(contactMerged, moveTasksOfContact),
  reactTo(contactMerged, moveEstimatesOfContact),
  reactTo(contactMerged, moveRecipientsOfContact),
  reactTo(mailBounced, failBounced),
  reactTo(contactMerged, moveSubmissionsOfContact),
  reactTo(contactMerged, moveInvoicesOfContact),
  reactTo(contactMerged, moveRunsOfContact),
  reactTo(contactMerged, markMergedContact),
  reactTo(appointmentBooked, queueNotices),
  reactTo(appointmentRescheduled, queueNoticesAgain),
  reactTo(remindersChanged, replanReminders),
  reactTo(externalCalendarChanged, forgetExternal),
  reactTo(externalCalendarChanged, syncUpcoming),
  reactTo(appointmentBooked, queueSync),
  reactTo(appointmentRescheduled, queueSyncAgain),
  reactTo(appointmentCancelled, queueSyncAgain),
  reactTo(appointmentReassigned, queueSyncAgain),
  reactTo(memberRemoved, reassignAppointments),
  reactTo(eventDeletedOutside, onExternalDelete),
];
