import { pluralIn } from '../plural.ts';

const plural = pluralIn('en');
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIXES: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
};

/** Returns `1st`, `2nd`, `3rd`, `4th`. */
const ordinal = (number: number): string => `${number}${SUFFIXES[ordinals.select(number)] ?? 'th'}`;

export const enCampaigns = {
  compose: {
    newCampaign: 'New campaign',
    editDraft: 'Edit draft',
    edit: 'Edit',
    nameHint: 'Only your team sees it, not the recipients.',
    list: 'List',
    listHint:
      'A list selects contacts by tag or stage, or holds the contacts of an import. Lists are added in Settings → Manifest, under “lists”.',
    addList: 'Add a list',
    template: 'Template',
    preheader: 'Preview text',
    preheaderHint: 'Inboxes show it beside the subject.',
    content: 'Content',
    textHint:
      'Blank lines separate paragraphs. Merge fields: {{firstName}}, {{lastName}}, {{fullName}}, or with a fallback {{firstName|there}}.',
    htmlHint:
      'The HTML that the template gets as its content. Merge fields: {{firstName}}, or with a fallback {{firstName|there}}.',
    writeHtml: 'Write HTML',
    save: 'Save draft',
    saved: 'Draft saved',
    unsubscribed: 'Unsubscribed',
    hasUnsubscribed: 'Unsubscribed',
    opens: 'Opens and clicks are not tracked.',
    notReady: 'A campaign needs a template and a list',
    notReadyText:
      'A template and a list are added in the manifest, in the sections templates and lists.',
    desktop: 'Desktop',
    phone: 'Phone',
    plainText: 'Text',
    audience: 'Audience',
    leftOut: 'Contacts left out',
    test: 'Send test mail',
    sendNow: 'Send now',
    schedule: 'Schedule',
    unschedule: 'Unschedule',
    changes: {
      pause: 'Campaign paused',
      resume: 'Campaign resumed',
      unschedule: 'Campaign unscheduled',
      cancel: 'Campaign cancelled',
    },
    unknownFields: 'Unknown merge fields',
    emptyField: (field: string): string => `${field} is not a known field, and is left empty.`,
    fallbackField: (field: string, fallback: string): string =>
      `${field} is not a known field: every recipient sees “${fallback}”.`,
    sendAt: 'Send at',
    noRecall: 'Sent mails cannot be recalled.',
    started: 'The campaign is being sent',
    isScheduled: 'Campaign scheduled',
    overTime: 'Mails over time',
    all: 'Campaigns',
    recurring: 'Recurring',
    repeats: 'Repeats',
    nextRun: 'Next run',
    lastRun: 'Last run',
    paused: 'Paused',
    actions: 'Actions',
    noRecurring: 'No recurring campaigns yet',
    noRecurringText: 'A recurring campaign is sent every month, every week or every day.',
    when: 'Start',
    reasons: {
      no_email: 'No email address',
      do_not_disturb: 'Do not disturb',
      opted_out: 'Suppressed',
    },
    gets: (count: number): string =>
      plural(count, { one: '# contact gets this mail.', other: '# contacts get this mail.' }),
    isLeftOut: (count: number, contacts: string): string =>
      plural(count, {
        one: `Of ${contacts} on the list, # is left out.`,
        other: `Of ${contacts} on the list, # are left out.`,
      }),
    sendMails: (count: number): string =>
      plural(count, { one: 'Send # mail', other: 'Send # mails' }),
    firstOnly: (count: number): string =>
      plural(count, { one: 'Only the first # is listed.', other: 'Only the first # are listed.' }),
    testSent: (email: string): string => `Test mail sent to ${email}`,
    scheduledFor: (time: string): string => `Scheduled for ${time}`,
    sendTitle: (name: string): string => `Send “${name}” now?`,
    scheduleText: (zone: string): string =>
      `Time zone: ${zone}. The recipients are determined when the campaign starts.`,
    captured: 'Captured',
    capturedTitle: 'Test mail captured',
    capturedText: (email: string): string =>
      `This sub-account is a sandbox: the mail to ${email} was not sent. It would look like this. Test mails are not kept.`,
    sandboxHint: 'This sub-account is a sandbox: mails are captured, not sent.',
    unknownHint:
      'Unknown: the connection broke off before the mail server had answered. These mails are not sent twice.',
    search: 'Search by name or address',
    keep: 'Keep campaign',
    sentOf: (sent: string, total: string): string => `${sent} of ${total} mails sent`,
    capturedOf: (sent: string, total: string): string => `${sent} of ${total} mails captured`,
    notSent: (count: number): string => plural(count, { one: '# not sent', other: '# not sent' }),
    leftOutAtStart: (count: number): string =>
      plural(count, {
        one: '# contact was left out at the start.',
        other: '# contacts were left out at the start.',
      }),
    actionOf: (action: string, name: string): string => `${action}: ${name}`,
    startedAt: 'Started:',
    mails: 'Mails sent',
    mail: 'Mail',
    showMail: 'Show mail',
    duplicate: 'Duplicate',
    deleteDraft: 'Delete draft',
    reschedule: 'Change time',
    previewAs: 'Preview as',
    withoutName: 'A contact without a name',
    showContacts: 'Show these contacts',
    allContacts: 'All contacts',
    staticList: 'A static list: contacts that an import or the command “admin list add” added',
    testSandbox:
      'This sub-account is a sandbox: the test mail is not sent. Press the button to see it here.',
    ofTotal: (sent: string, total: string): string => `${sent} of ${total}`,
    copyOf: (name: string): string => `Copy of ${name}`,
    exampleContact: (name: string): string => `${name} (example)`,
    noFirstName: (contact: string): string => `${contact} (no first name)`,
    quoted: (tag: string): string => `“${tag}”`,
    withTags: (tags: string, count: number): string =>
      plural(count, { one: `with the tag ${tags}`, other: `with the tags ${tags}` }),
    inStages: (stages: string): string => `in the stage ${stages}`,
    testTo: (email: string): string => `The test mail will be sent to ${email}.`,
    testAs: (name: string): string => `It will have the values of ${name}.`,
    noneFound: (search: string): string => `“${search}” is not among the recipients`,
    notOnList: (list: string | undefined): string =>
      list === undefined
        ? 'No such contact was on the list when the campaign started.'
        : `No such contact was on the list “${list}” when the campaign started.`,
    capturedWhere: 'To read a captured mail, press “Show mail” beside its recipient.',
  },
  recurring: {
    add: 'New recurring campaign',
    nameHint: 'Only your team sees it, not the recipients. The date of each run is added to it.',
    repeats: 'Repeats',
    kinds: {
      month: 'Every month',
      week: 'Every week',
      day: 'Every day',
      cron: 'Cron expression',
    },
    day: 'Day',
    lastDay: 'Last day of the month',
    weekdays: 'Weekdays',
    time: 'Time',
    cronHint: 'Minute, hour, day of month, month and weekday, such as 0 9 * * MON',
    skipped: 'Months without this day are skipped.',
    removeText: 'It runs no more. The campaigns that it made stay.',
    dayOfMonth: ordinal,
    daily: (time: string): string => `every day at ${time}`,
    weekly: (days: string, time: string): string => `every ${days} at ${time}`,
    monthly: (day: number, time: string): string => `every month on the ${ordinal(day)} at ${time}`,
    onLastDay: (time: string): string => `on the last day of every month at ${time}`,
    inZone: (words: string, zone: string): string => `${words}, ${zone}`,
    runs: (words: string, zone: string): string => `Runs ${words}, ${zone}.`,
  },
};
