/** The tags of the OpenAPI document: the first words of operation ids, in reading order. */
export const tags: Readonly<Record<string, string>> = {
  contacts: 'People with their fields, tags, addresses and do-not-disturb settings.',
  conversations: 'Threads with contacts on every channel, and the messages in them.',
  opportunities: 'Deals, moved through the stages of a pipeline to won or lost.',
  pipelines: 'The pipelines of opportunities: their stages, counts and values.',
  tasks: 'To-dos, for a contact or on their own.',
  calendars: 'Calendars, appointment types and free slots.',
  appointments: 'Book, find, reschedule, confirm and cancel appointments.',
  booking:
    'For booking assistants: price list, quotes, and the appointments of a verified customer.',
  campaigns: 'Mail to many contacts; each contact receives it once.',
  webhooks: 'Webhook subscriptions, their secrets and their deliveries.',
  events: 'A feed of all events, readable from any position.',
  me: 'The calling key: its scopes, its rates and its sub-account.',
  team: 'The members that contacts, tasks and appointments are assigned to.',
  'sub-accounts': 'For agency keys: the sub-accounts they can access.',
  chat: 'Called by the chat widget. No API key; rate-limited by IP address.',
  'public-booking': 'Called by booking pages. No API key; rate-limited by IP address.',
  forms: 'Called by forms. No API key; rate-limited by IP address.',
  workflows: 'Signed requests of other programs that start or resume workflows.',
  callbacks: 'Signed requests of providers: inbound messages and delivery statuses.',
  invoices: 'Signed requests of an invoicing program.',
};
