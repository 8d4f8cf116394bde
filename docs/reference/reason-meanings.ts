import type { Refusal } from '../../src/calendars/schedule.ts';
import type { CustomerReason } from '../../src/booking/verified/customer-appointment.ts';

/** What a value of `details.reason` means, and what the caller does about it. */
export interface ReasonMeaning {
  readonly means: string;
  readonly remedy: string;
}

const OTHER_TIME =
  'Choose one of `details.alternatives`, or request [availability](calendars.md#availability) again and send a returned time unchanged.';

/** A reason against a slot that has no meaning does not compile. */
const SLOT: Readonly<Record<Refusal, ReasonMeaning>> = {
  invalid_duration: {
    means: 'The time from `startTime` to `endTime` is not the duration of the appointment type.',
    remedy: 'Send both times exactly as availability returned them.',
  },
  slot_in_past: { means: 'The appointment would start in the past.', remedy: OTHER_TIME },
  too_soon: {
    means: 'The start is sooner than the notice that the calendar requires.',
    remedy: OTHER_TIME,
  },
  too_far_ahead: {
    means: 'The start is further ahead than the calendar accepts bookings.',
    remedy:
      'Request [availability](calendars.md#availability) for earlier days and send a returned time unchanged. `details.alternatives` begin at the requested start, so they are usually empty.',
  },
  date_unavailable: { means: 'The calendar is closed on this date.', remedy: OTHER_TIME },
  day_unavailable: {
    means: 'The calendar is closed on this day of the week.',
    remedy: OTHER_TIME,
  },
  outside_hours: {
    means: 'The time from `startTime` to `endTime` is not within one window of the opening hours.',
    remedy: OTHER_TIME,
  },
  day_full: {
    means: 'The calendar accepts no more appointments on this date.',
    remedy: OTHER_TIME,
  },
  slot_unavailable: {
    means:
      'The start is within the opening hours, but booked, held for the waiting list, or within the buffer of another appointment. Or it is busy in the external calendar of a member, does not fit the `slotInterval`, or has no free seat. A public booking also gets this reason, with `details.alreadyBooked: true`, if the customer has this appointment already.',
    remedy: OTHER_TIME,
  },
};

/** A reason against a customer's change that has no meaning does not compile. */
const CUSTOMER: Readonly<Record<CustomerReason, ReasonMeaning>> = {
  series: {
    means: 'The appointment is part of a series, which customers cannot change.',
    remedy: 'The admins were notified. Tell the customer that the business will answer.',
  },
  started: { means: 'The appointment has started.', remedy: 'Tell the customer to call.' },
  reschedule_not_allowed: {
    means: 'The calendar does not let customers reschedule.',
    remedy: 'Offer to cancel and book again, or set `allowCustomerReschedule` in the manifest.',
  },
  too_late: {
    means: 'The appointment starts sooner than the notice that the calendar requires for a change.',
    remedy: 'Tell the customer to call.',
  },
};

/** Every `details.reason` of the API. A test compares this list with the sources. */
export const REASON_MEANINGS: Readonly<Record<string, ReasonMeaning>> = {
  ...SLOT,
  ...CUSTOMER,
  no_waiting_list: {
    means: 'The calendar has no waiting list, or the day is over.',
    remedy: 'Choose a free time, or set `waitingListMinutes` of the calendar.',
  },
  day_not_full: {
    means: 'The waiting list is for full days only, and this day has free times.',
    remedy: 'Book one of the free times.',
  },
  waiting_list_full: {
    means: 'As many customers as possible, 200, wait for the type on that day.',
    remedy: 'Choose another day, or remove customers from the waiting list.',
  },
  offer_ended: {
    means: 'The slot was held for a person of the waiting list; the time to book it is over.',
    remedy: 'Wait for the next offer, or choose a free time.',
  },
  invalid_transition: {
    means: 'An appointment cannot change from its status to this one.',
    remedy: 'Read the appointment: for example, a cancelled one cannot be confirmed.',
  },
  cursor_expired: {
    means: 'The cursor of a list is older than 24 hours.',
    remedy: 'Start the list again without it.',
  },
  duplicate_email: {
    means: 'The email belongs to another contact, whose id is `details.contactId`.',
    remedy: 'Update that contact, or use `POST /contacts/upsert`, which finds it by email.',
  },
  ambiguous_phone: {
    means: 'Several contacts have this phone. Their ids are `details.contactIds`.',
    remedy: 'Send an email, too, or name one of the contacts by its id.',
  },
  too_many_tags: {
    means: 'The contact would have more tags than `details.limit`.',
    remedy: 'Remove tags that are not used.',
  },
  too_many_views: {
    means: 'The user has `details.limit` saved views of contacts in this sub-account.',
    remedy: 'Delete a view that is not used.',
  },
  duplicate_name: {
    means: 'Another saved view of the user has this name.',
    remedy: 'Choose another name, or change that view.',
  },
  too_many_addresses: {
    means: 'The contact would have more additional emails or phones than `details.limit`.',
    remedy: 'Remove addresses that are not used.',
  },
  custom_values_too_large: {
    means:
      'The custom values of the contact or opportunity would have more bytes, as JSON, than `details.limit`.',
    remedy: 'Remove or shorten values. Store large texts on your side.',
  },
  file_storage: {
    means: 'The storage of files cannot be used at the moment.',
    remedy: 'Try again; the operator sees the reason in the log and with `frontdesk doctor`.',
  },
  file_storage_full: {
    means: 'The disk of uploaded files is nearly full.',
    remedy:
      'Try again later. The operator frees space or enlarges the disk; see [files](conversations.md#files).',
  },
  file_type: {
    means: 'The bytes of the file are not of an accepted type, whatever its name says.',
    remedy: 'Send one of the types that [files](conversations.md#files) lists.',
  },
  files_not_supported: {
    means: 'The channel cannot carry these files with one message.',
    remedy: 'See what each provider carries in [files](conversations.md#files).',
  },
  files_waiting: {
    means: 'The visitor uploaded ten files that no message has yet.',
    remedy: 'Send them with a message before uploading more.',
  },
  channel_not_configured: {
    means: 'The sub-account has no provider for this channel.',
    remedy: 'Add the channel to `channels` in the [manifest](manifest.md) and apply it.',
  },
  outside_messaging_window: {
    means: 'The contact has not written for 24 hours, and the channel allows replies only then.',
    remedy: 'Wait for a message from the contact, or use another channel.',
  },
  conversation_open: {
    means:
      'Another conversation of this contact and channel is open. Its id is `details.conversationId`.',
    remedy: 'Use that conversation, or close it first.',
  },
  unreadable_mail: {
    means: 'An inbound mail is not a message that can be parsed.',
    remedy: 'Send the complete message as received, in the format of RFC 5322.',
  },
  event_gone: {
    means: 'The event is older than 30 days and was deleted.',
    remedy: 'Read the record itself for its current state.',
  },
  subscription_of_agent: {
    means: 'An agent made this webhook subscription over MCP.',
    remedy:
      'You can disable or delete it; only the agent can change anything else. To change values, let the agent subscribe again.',
  },
  callback_failed: {
    means:
      'The callback of an agent did not return the challenge that was sent to it. `details.failure` is `connection_refused`, `timeout`, `tls_error`, `http_4xx`, `http_5xx` or `challenge_failed`.',
    remedy: 'Let the callback return `{"challenge": "…"}` as it received it, and subscribe again.',
  },
  too_many_subscriptions: {
    means: 'The sub-account has as many webhook subscriptions as it may have.',
    remedy: 'Delete a subscription that is not used.',
  },
  captcha_failed: {
    means: 'The challenge of a form is missing, not solved, expired or already used.',
    remedy: 'Request another challenge, solve it and send its solution within its lifetime.',
  },
  sent_already: {
    means: 'The form was already submitted with this solution.',
    remedy: 'No further step is needed: the first submission was stored.',
  },
  not_failed: {
    means: 'The message did not fail, so it is not sent again.',
    remedy: 'Send a new message.',
  },
  sent_again: {
    means: 'The message was already sent again. The new message is `details.messageId`.',
    remedy: 'No further step is needed; if the new message fails, send that one again.',
  },
  foreign_origin: {
    means: 'A page of another website called `/mcp`.',
    remedy: 'Call it from a program; programs send no `Origin`.',
  },
  denied_by_policy: {
    means:
      'The agent policy of the key denies actions of this risk. A program that connected with OAuth must use `/mcp` for actions whose policy is `ask`.',
    remedy: 'Change the policy with `frontdesk admin key policy`, or let a person do the action.',
  },
  request_expired: {
    means:
      'The OAuth request by which a program asked for access was altered, or is more than an hour old.',
    remedy: 'Connect again from the program.',
  },
  already_decided: {
    means: 'The approval was approved, denied or has expired. `details.status` says which.',
    remedy:
      'No further step is needed. To ask again, the agent repeats the call with `repeat: true`.',
  },
  approval_outgrown: {
    means:
      'The approved call would now send more mails or messages than the approval said, by more than a tenth. Nothing was sent.',
    remedy: 'Check the audience. To ask again, the agent repeats the call with `repeat: true`.',
  },
  foreign_link: {
    means: 'The link to an approval was changed, or Frontdesk did not mail it.',
    remedy: 'Open the approval from the list in the console.',
  },
  cross_site: {
    means: 'A page of another website sent a change to the console.',
    remedy: 'Send changes from pages of the console; programs use the API with a key.',
  },
  prove_again: {
    means: 'The operation needs a sign-in within the last 10 minutes.',
    remedy: 'Sign in again or use a passkey, then repeat the request.',
  },
  changed_meanwhile: {
    means:
      'Entries of the manifest changed after the caller read them. `details.entries` names them. `details.by` says who applied a manifest last, and when.',
    remedy: 'Read the manifest again, make the change in it and apply it.',
  },
  manifest_busy: {
    means:
      'Another manifest is being applied to the sub-account, or planned in the console. This one waited five seconds. Nothing was changed.',
    remedy: 'Send the request again in a moment.',
  },
  settings_too_large: {
    means:
      'With the manifest, the settings of the sub-account would be larger than the console can export. They may have 5 million characters, and each value counts as 100 more. Nothing was changed.',
    remedy:
      'Remove what is no longer used, or shorten templates. `frontdesk admin apply` has no limit.',
  },
  too_slow: {
    means: 'The manifest could not be written within a minute. Nothing was changed.',
    remedy: 'Apply it in parts, or with `frontdesk admin apply`, which has no limit.',
  },
};
