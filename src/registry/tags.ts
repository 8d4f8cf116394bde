/** What the first word of an endpoint's id stands for, in the order in which people read on. */
export const tags: Readonly<Record<string, string>> = {
  contacts: 'People and their fields, tags, addresses and what they do not want to receive.',
  conversations: 'Threads with contacts on every channel, and the messages in them.',
  opportunities: 'Deals, moved through the stages of a pipeline to won or lost.',
  pipelines: 'The pipelines of opportunities: their stages, counts and values.',
  tasks: 'What somebody has to do, for a contact or on its own.',
  calendars: 'What can be booked: calendars, appointment types and free slots.',
  appointments: 'Booked slots: look them up, book, move, confirm, cancel.',
  booking:
    'For booking assistants: price list, quotes, and the appointments of a verified customer.',
  campaigns: 'Mail to many contacts, each of whom gets it once.',
  webhooks: 'Subscriptions of URLs to events, their secrets, and the attempts to deliver.',
  events: 'The feed of everything that happened, to read from any place on.',
  'sub-accounts': 'For agency keys: the sub-accounts that they reach.',
  chat: 'What the chat widget calls for a visitor. Without a key, limited by address.',
  'public-booking': 'What a booking page calls for a visitor. Without a key, limited by address.',
  forms: 'What a form calls for a visitor. Without a key, limited by address.',
  workflows: 'Signed calls of other programs that start or wake workflows.',
  callbacks: 'Signed calls of providers: messages that come in, and what became of those sent.',
  invoices: 'Signed calls of an invoicing program.',
};
