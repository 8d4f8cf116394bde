import type { NamedMigration } from '#platform/database/migrate/migration.ts';
import { accounts } from '../../migrations/20261121010000_accounts.ts';
import { eventsAndAudit } from '../../migrations/20261121020000_events_and_audit.ts';
import { requests } from '../../migrations/20261121030000_requests.ts';
import { contacts } from '../../migrations/20261121040000_contacts.ts';
import { webhooks } from '../../migrations/20261121050000_webhooks.ts';
import { opportunities } from '../../migrations/20261121060000_opportunities.ts';
import { tasks } from '../../migrations/20261121070000_tasks.ts';
import { conversations } from '../../migrations/20261121080000_conversations.ts';
import { receipts } from '../../migrations/20261121090000_receipts.ts';
import { mail } from '../../migrations/20261121100000_mail.ts';
import { chat } from '../../migrations/20261121110000_chat.ts';
import { calendars } from '../../migrations/20261121120000_calendars.ts';
import { booking } from '../../migrations/20261121130000_booking.ts';
import { slots } from '../../migrations/20261121131000_slots.ts';
import { catalog } from '../../migrations/20261121140000_catalog.ts';
import { reminders } from '../../migrations/20261121150000_reminders.ts';
import { externalCalendars } from '../../migrations/20261121160000_external_calendars.ts';
import { forms } from '../../migrations/20261121170000_forms.ts';
import { campaigns } from '../../migrations/20261121180000_campaigns.ts';
import { holding } from '../../migrations/20261121190000_holding.ts';
import { workflows } from '../../migrations/20261121200000_workflows.ts';
import { processes } from '../../migrations/20261122013000_processes.ts';
import { finishedRuns } from '../../migrations/20261122014000_finished_runs.ts';
import { underway } from '../../migrations/20261122020000_underway.ts';
import { emptyLastNames } from '../../migrations/20261123010000_empty_last_names.ts';
import { orderedJobLocks } from '../../migrations/20261123020000_ordered_job_locks.ts';
import { fairPublishing } from '../../migrations/20261123030000_fair_publishing.ts';
import { mergedContacts } from '../../migrations/20261123040000_merged_contacts.ts';
import { adminNotices } from '../../migrations/20261123042000_admin_notices.ts';
import { bridgeCampaigns } from '../../migrations/20261123050000_bridge_campaigns.ts';
import { manifestReferences } from '../../migrations/20261123060000_manifest_references.ts';
import { scheduleTicks } from '../../migrations/20261123070000_schedule_ticks.ts';
import { attemptsWithoutReference } from '../../migrations/20261124005000_attempts_without_reference.ts';
import { mailboxStarts } from '../../migrations/20261124010000_mailbox_starts.ts';
import { unprovenSenders } from '../../migrations/20261124011000_unproven_senders.ts';
import { automaticMessages } from '../../migrations/20261124015000_automatic_messages.ts';
import { failingReaders } from '../../migrations/20261124016000_failing_readers.ts';
import { allEvents } from '../../migrations/20261124030000_all_events.ts';
import { engagement } from '../../migrations/20261124031000_engagement.ts';
import { branding } from '../../migrations/20261124040000_branding.ts';
import { recurringCampaigns } from '../../migrations/20261124041000_recurring_campaigns.ts';
import { users } from '../../migrations/20261124060000_users.ts';
import { rolesByClaim } from '../../migrations/20261124064000_roles_by_claim.ts';
import { timeline } from '../../migrations/20261124065000_timeline.ts';
import { snoozedUntil } from '../../migrations/20261124070000_snoozed_until.ts';
import { inbox } from '../../migrations/20261124071000_inbox.ts';
import { changes } from '../../migrations/20261124072000_changes.ts';
import { presences } from '../../migrations/20261124073000_presences.ts';
import { agents } from '../../migrations/20261124080000_agents.ts';
import { vouchedUsers } from '../../migrations/20261124979000_vouched_users.ts';
import { linkTargets } from '../../migrations/20261125001000_link_targets.ts';
import { files } from '../../migrations/20261125010000_files.ts';
import { approvalChanges } from '../../migrations/20261125020000_approval_changes.ts';
import { oauth } from '../../migrations/20261125030000_oauth.ts';
import { contactImports } from '../../migrations/20261125040000_contact_imports.ts';
import { sentRequests } from '../../migrations/20261125041000_sent_requests.ts';
import { auditChanges } from '../../migrations/20261125042000_audit_changes.ts';
import { processSamples } from '../../migrations/20261125043000_process_samples.ts';
import { erasedOptOuts } from '../../migrations/20261125050000_erased_opt_outs.ts';
import { typeDetails } from '../../migrations/20261125060000_type_details.ts';
import { waitingList } from '../../migrations/20261125061000_waiting_list.ts';
import { nodeFunctions } from '../../migrations/20261125070000_node_functions.ts';
import { contactViews } from '../../migrations/20261126081000_contact_views.ts';
import { agentSubscriptions } from '../../migrations/20261126090000_agent_subscriptions.ts';
import { formFiles } from '../../migrations/20261126121500_form_files.ts';
import { messageAuthors } from '../../migrations/20261126125500_message_authors.ts';
import { keyRotation } from '../../migrations/20261126141500_key_rotation.ts';
import { formSubmissionLists } from '../../migrations/20261126151000_form_submission_lists.ts';
import { moreNodeFunctions } from '../../migrations/20261126160000_more_node_functions.ts';
import { pruneFunctions } from '../../migrations/20261126161000_prune_functions.ts';
import { checkConstraints } from '../../migrations/20261126162000_check_constraints.ts';
import { userPictures } from '../../migrations/20261126170000_user_pictures.ts';
import { attemptsInArrays } from '../../migrations/20261126171000_attempts_in_arrays.ts';
import { integrators } from '../../migrations/20261126171000_integrators.ts';
import { contactTexts } from '../../migrations/20261126171500_contact_texts.ts';
import { pageLanguages } from '../../migrations/20261126172000_page_languages.ts';
import { plansOfTotals } from '../../migrations/20261126173000_plans_of_totals.ts';
import { publishSince } from '../../migrations/20261126174000_publish_since.ts';
import { approvedMails } from '../../migrations/20261128100000_approved_mails.ts';
import { runBacklog } from '../../migrations/20261129130000_run_backlog.ts';
import { keptPlaces } from '../../migrations/20261129131000_kept_places.ts';
import { backlogOnClusters } from '../../migrations/20261129180000_backlog_on_clusters.ts';
import { referenceIndexes } from '../../migrations/20261129210000_reference_indexes.ts';
import { bookingsLock } from '../../migrations/20261130040000_bookings_lock.ts';
import { stoppedChanges } from '../../migrations/20261130043000_stopped_changes.ts';
import { windowsAhead } from '../../migrations/20261130100000_windows_ahead.ts';
import { soonerStatistics } from '../../migrations/20261130133000_sooner_statistics.ts';
import { runRoots } from '../../migrations/20261130140000_run_roots.ts';
import { unsubscribedRecipients } from '../../migrations/20261130170000_unsubscribed_recipients.ts';
import { arrayValues } from '../../migrations/20261130171000_array_values.ts';
import { automaticReplies } from '../../migrations/20261130180000_automatic_replies.ts';
import { commitOrder } from '../../migrations/20261201003000_commit_order.ts';
import { importCheckpoints } from '../../migrations/20261201050000_import_checkpoints.ts';
import { givenRoles } from '../../migrations/20261201101500_given_roles.ts';
import { formerTriggers } from '../../migrations/20261201102500_former_triggers.ts';

/** All migrations, oldest first. */
export const migrations: readonly NamedMigration[] = [
  accounts,
  eventsAndAudit,
  requests,
  contacts,
  webhooks,
  opportunities,
  tasks,
  conversations,
  receipts,
  mail,
  chat,
  calendars,
  booking,
  slots,
  catalog,
  reminders,
  externalCalendars,
  forms,
  campaigns,
  holding,
  workflows,
  processes,
  finishedRuns,
  underway,
  emptyLastNames,
  orderedJobLocks,
  fairPublishing,
  mergedContacts,
  adminNotices,
  bridgeCampaigns,
  manifestReferences,
  scheduleTicks,
  attemptsWithoutReference,
  mailboxStarts,
  unprovenSenders,
  automaticMessages,
  failingReaders,
  allEvents,
  engagement,
  branding,
  recurringCampaigns,
  users,
  rolesByClaim,
  timeline,
  snoozedUntil,
  inbox,
  changes,
  presences,
  agents,
  vouchedUsers,
  linkTargets,
  files,
  approvalChanges,
  oauth,
  contactImports,
  sentRequests,
  auditChanges,
  processSamples,
  erasedOptOuts,
  typeDetails,
  waitingList,
  nodeFunctions,
  contactViews,
  agentSubscriptions,
  formFiles,
  messageAuthors,
  keyRotation,
  formSubmissionLists,
  moreNodeFunctions,
  pruneFunctions,
  checkConstraints,
  userPictures,
  attemptsInArrays,
  integrators,
  contactTexts,
  pageLanguages,
  plansOfTotals,
  publishSince,
  approvedMails,
  runBacklog,
  keptPlaces,
  backlogOnClusters,
  referenceIndexes,
  bookingsLock,
  stoppedChanges,
  windowsAhead,
  soonerStatistics,
  runRoots,
  unsubscribedRecipients,
  arrayValues,
  automaticReplies,
  commitOrder,
  importCheckpoints,
  givenRoles,
  formerTriggers,
];
