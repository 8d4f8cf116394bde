import { enAudit } from './audit.ts';

/** The texts of pages that owners and admins use; the first screen does without them. */
export const enOwner = {
  manifest: {
    restored: 'Your unsaved text is back',
    restoredText: 'It is not saved yet. It stays in this browser tab until you save or discard it.',
    discardText: 'Discard my text',
    lossTitle: 'Save, and remove these?',
    lossText: 'The text no longer has them. Saving removes them; this cannot be undone.',
  },
  audit: enAudit,
  links: {
    noLink:
      'This user signed in before, or has access to more than this sub-account, so you may not see a link. If mail is set up, one is on its way to them; otherwise an owner creates one under Agency, Users.',
    create: 'New sign-in link',
    title: (name: string): string => `New sign-in link for ${name}?`,
    text: 'The link works once, within 24 hours, and signs in anyone who opens it: send it only to this person.',
    textShort:
      'The link works once, within 15 minutes, and signs in anyone who opens it: send it only to this person.',
    shown: 'Sign-in link',
    shownText: (email: string): string =>
      `${email} can sign in with this link. It is shown only now.`,
    isMailed: 'Another link is sent to them by mail, so you do not have to pass this one on.',
    notMailed: 'No mail is sent: pass the link on yourself.',
  },
  roles: {
    owner: 'Everything, in every sub-account of the installation.',
    admin:
      'Everything in this sub-account, with settings, API keys and team. Exports contacts and erases people.',
    agent:
      'Works with contacts, conversations, appointments, opportunities and tasks. Merges contacts, and deletes contacts, opportunities and tasks. No campaigns, workflows, settings, import and export.',
    viewer: 'Sees what agents see, but cannot change or delete anything.',
    integrator: 'Has only the page Webhooks: for developers who connect another program.',
  },
  keys: {
    preset: 'Purpose',
    noPreset: 'Other: tick the scopes below',
    presets: {
      booking: 'Booking bot',
      support: 'Support bot',
      sync: 'Sync with another system',
      reports: 'Reports (read only)',
    },
    resources: {
      contacts: 'Contacts',
      conversations: 'Conversations',
      availability: 'Calendars',
      appointments: 'Appointments',
      opportunities: 'Opportunities',
      tasks: 'Tasks',
      campaigns: 'Campaigns',
      webhooks: 'Webhooks',
      'service-types': 'Price list',
      'booking-estimates': 'Quotes',
      'booking-appointments': 'Appointments of verified customers',
    },
  },
  health: {
    none: 'No problems: every check is OK.',
  },
  general: {
    tab: 'General',
    brand: 'Brand',
    brandHint: 'The name that customers see. Empty: the name of the sub-account.',
    logo: 'Address of the logo',
    logoHint: 'An address that begins with https://',
    locale: 'Language of customer pages and messages',
    currencyHint: 'Such as EUR, USD or GBP',
    customers: 'What customers see',
    customersText:
      'Brand and colour apply to booking pages, forms and confirmations. They apply to the chat unless Settings → Chat has a title or colour of its own. Campaigns look like their template (Settings → Manifest).',
  },
  team: {
    text: 'Users sign in to the console. Appointments, conversations and tasks are assigned to team members. To make a user a team member, open the menu at the end of their row and choose “Make team member”. Add team members who do not sign in under “team” in the manifest (Settings → Manifest).',
    assignable: 'Can be assigned',
    yes: 'Yes',
    no: 'No',
    make: 'Make team member',
    link: (name: string): string => `Is the team member ${name}`,
    made: (name: string): string => `${name} can be assigned now`,
  },
  subAccounts: {
    language: 'Language of customer pages and messages',
    noZone: 'No time zone found',
    closeEffects: [
      'Booking pages, forms and the chat on websites stop working at once.',
      'Members and API keys lose access.',
      'Campaigns, workflows and reminders stop: nothing is sent any more.',
      'Booked appointments stay in the data, but customers can no longer move or cancel them.',
      'It cannot be opened again in the console. The data stays until it is purged on the server with “frontdesk admin sub-account purge”.',
    ],
    nameDiffers: 'The name does not match yet.',
  },
};
