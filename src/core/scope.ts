/** The scopes and what they grant (spec "Scopes"); docs and OpenAPI derive from this. */
export const SCOPE_GRANTS = {
  'contacts:read': 'list and get contacts, custom field definitions',
  'contacts:write': 'create, update, bot-update, merge, delete contacts',
  'conversations:read': 'list conversations, read messages',
  'conversations:write': 'create conversations, send messages, update conversations',
  'availability:read': 'list calendars, appointment types, check open slots; no customer details',
  'appointments:read': 'list booked appointments with linked customer name, email, phone',
  'appointments:write': 'book and cancel appointments',
  'opportunities:read': 'list and get opportunities, list pipelines and stages',
  'opportunities:write': 'create, update, move stage, set status, delete opportunities',
  'tasks:read': 'list and get tasks',
  'tasks:write': 'create, update, complete, delete tasks',
  'campaigns:write': 'create draft campaigns, send, schedule',
  'webhooks:manage': 'manage webhook subscriptions',
  'service-types:read': 'published price list',
  'booking-estimates:read': 'quotes of the one contact a conversation is with',
  'booking-appointments:read': "one verified customer's own appointments",
  'booking-appointments:write': "cancel or reschedule that verified customer's appointment",
} as const;

export type Scope = keyof typeof SCOPE_GRANTS;

export const SCOPES = Object.keys(SCOPE_GRANTS) as readonly Scope[];

export const isScope = (name: string): name is Scope => Object.hasOwn(SCOPE_GRANTS, name);
