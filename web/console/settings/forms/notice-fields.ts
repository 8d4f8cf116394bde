import { useMessages } from '../../i18n/messages.tsx';
import { useFormat } from '../../i18n/format.ts';
import { textOf, type Entry, type EntryField, type EntryList, type FormValues } from './entry.ts';
import { sectionMessages } from './section-messages.ts';

const CHANNELS = ['email', 'sms'] as const;
const [DEFAULT_CHANNEL] = CHANNELS;
const DAY_MINUTES = 1_440;
/** Of a mail without a subject: what the server then writes. */
const DEFAULT_SUBJECT = '{{appointment.title}}: {{appointment.start}}';

/** The messages that a calendar sends to its customers: the confirmation, and the reminders. */
export function useNoticeFields(): readonly EntryField[] {
  const texts = sectionMessages();
  const isConfirmed = (values: FormValues) => textOf(values['confirmation/body']).trim() !== '';
  const channelOf = useChannelField();
  const subjectOf = useSubjectField();
  return [
    {
      path: 'confirmation/body',
      label: texts.confirmation,
      kind: 'long',
      heading: texts.notices,
      headingText: texts.mergeHint,
      hint: texts.noConfirmation,
      description: texts.confirmationHint,
    },
    { ...channelOf('confirmation/channel'), isShown: isConfirmed },
    {
      ...subjectOf('confirmation/subject'),
      isShown: (values) => isConfirmed(values) && values['confirmation/channel'] !== 'sms',
    },
    { path: 'reminders', label: texts.reminders, kind: 'list', list: useReminders() },
  ];
}

function useChannelField(): (path: string) => EntryField {
  const { channels } = useMessages();
  const { sentBy } = sectionMessages();
  const choices = CHANNELS.map((id) => ({ id, label: channels[id] }));
  return (path) => ({ path, label: sentBy, kind: 'choice', choices, byDefault: DEFAULT_CHANNEL });
}

function useSubjectField(): (path: string) => EntryField {
  const { thread } = useMessages();
  return (path) => ({ path, label: thread.subject, kind: 'text', hint: DEFAULT_SUBJECT });
}

function useReminders(): EntryList {
  const { channels } = useMessages();
  const texts = sectionMessages();
  const format = useFormat();
  const channelOf = useChannelField();
  const subjectOf = useSubjectField();
  return {
    add: texts.addReminder,
    empty: texts.noReminders,
    isUnordered: true,
    nameOf: ({ before }) =>
      typeof before === 'number' ? texts.before(format.duration(before)) : texts.addReminder,
    fresh: () => ({ before: DAY_MINUTES, channel: DEFAULT_CHANNEL }),
    summaryOf: ({ channel }) => channels[channel === 'sms' ? 'sms' : 'email'],
    fields: [
      { path: 'before', label: texts.minutesBefore, kind: 'number', isRequired: true },
      channelOf('channel'),
      { ...subjectOf('subject'), isShown: ({ channel }) => channel !== 'sms' },
      { path: 'body', label: texts.noticeText, kind: 'long', isRequired: true },
    ],
  };
}

/** A confirmation without a text is none. */
export function withConfirmation({ confirmation, ...calendar }: Entry): Entry {
  const given = (confirmation ?? {}) as Entry;
  return given['body'] === undefined
    ? calendar
    : { ...calendar, confirmation: { channel: DEFAULT_CHANNEL, ...given } };
}
