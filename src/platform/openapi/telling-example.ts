import { exampleId } from '#core/schema/example.ts';

/** What stands for any text in the examples of the OpenAPI document. */
const ANY_TEXT = 'text';

/** Better examples of a text, by the name of the member. */
const TEXTS: Readonly<Record<string, string | null>> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  name: 'Ada Lovelace',
  contactName: 'Ada Lovelace',
  visitorName: 'Ada Lovelace',
  company: 'Analytical Engines',
  title: 'Follow up on the quote',
  description: 'Asked for a second offer.',
  notes: 'Prefers mornings.',
  message: 'Do you have time on Tuesday?',
  content: 'Do you have time on Tuesday?',
  subject: 'Your appointment',
  bodyText: 'See you on Tuesday.',
  bodyHtml: '<p>See you on Tuesday.</p>',
  contentHtml: '<p>Our new opening hours</p>',
  preheader: 'Now open on Saturdays',
  layout: 'Newsletter',
  addressLine1: '1 Harbour Street',
  city: 'Bristol',
  state: 'Avon',
  postalCode: 'BS1 4RW',
  country: 'GB',
  source: 'website',
  tags: 'vip',
  tag: 'vip',
  search: 'lovelace',
  reason: 'Customer asked for another day',
  lostReason: 'Too expensive',
  field: 'company',
  value: 'Analytical Engines',
  eventType: 'order.paid',
  errorMessage: 'mailbox full',
  slug: 'order-paid',
  formId: exampleId('formId'),
  subAccountId: exampleId('subAccountId'),
  sessionId: 'kT3vQ9xW2mZ7bN4cR8pL1sD6fH0jY5gA',
  externalId: 'SM4f1d2c',
  from: '+4930123456',
  to: '+4930654321',
  cursor: 'AZL3xFteGTyRvfRABjLy-g',
  captchaToken: 'eyJjaGFsbGVuZ2UiOnt9fQ==',
  email: 'ada@example.com',
  phone: '+4930123456',
  event: 'contact.created',
  events: 'contact.created',
  locationId: 'Zp3kQ0vXy7LmT2cB9dRf',
  appointmentTypeName: 'Check-up',
  currency: 'EUR',
  brand: 'Harbour Dental',
  legalText: 'We answer within one working day.',
  welcomeMessage: 'How can we help?',
  color: '#0b6e8a',
  timezone: 'Europe/Berlin',
  location: '1 Harbour Street, Bristol',
  authorName: 'Anna Weber',
  senderName: 'Anna Weber',
  fromAddress: '+4930654321',
  toAddress: '+4930123456',
  errorCode: '30005',
  secret: 'whsec_q7ZyricH5tQ2q7ZyricH5tQ2q7ZyricH5tQ2q7Zy',
  url: 'https://example.com/hook',
  pageUrl: 'https://example.com/contact',
  redirectUrl: 'https://example.com/thanks',
  category: 'Check-ups',
  folder: 'Check-ups',
  number: 'Q-1042',
  invoiceId: 'INV-1042',
  responseBody: '',
  label: 'Insurance',
  options: 'public',
  honeypot: 'website',
  mon: '09:00-17:00',
  tue: '09:00-17:00',
  wed: '09:00-17:00',
  thu: '09:00-17:00',
  fri: '09:00-17:00',
  sat: '09:00-17:00',
  sun: '09:00-17:00',
  // Null in the state that the example has.
  cancelReason: null,
  disabledReason: null,
  error: null,
};

/** Better examples of a number, which is otherwise its minimum. */
const NUMBERS: Readonly<Record<string, number>> = {
  value: 1200,
  limit: 50,
  duration: 30,
  endTime: 1_796_117_400_000,
  newEndTime: 1_796_117_400_000,
  gracePeriodSeconds: 3_600,
  // Of a list whose first page has a cursor.
  total: 120,
};

/** Better examples of times and dates, which are otherwise all the same. */
const TIMES: Readonly<Record<string, string>> = {
  dateOfBirth: '1985-12-10',
  startTime: '2026-12-01T09:00:00.000Z',
  endTime: '2026-12-01T09:30:00.000Z',
  start: '2026-12-01T09:00:00.000Z',
  end: '2026-12-01T09:30:00.000Z',
  endDate: '2026-12-07',
  createdAt: '2026-11-24T08:12:30.000Z',
  updatedAt: '2026-11-24T08:15:02.000Z',
  expiresAt: '2027-12-01T09:00:00.000Z',
};

/** What `exampleOf` returns for any time or date. */
const ANY_TIME = /^2026-12-01(?:T09:00:00\.000Z)?$/;

/** Returns the example with telling values in place of the neutral ones. */
export function tellingExample(value: unknown, name = ''): unknown {
  if (typeof value === 'number') {
    return NUMBERS[name] ?? value;
  }
  if (typeof value === 'string' && ANY_TIME.test(value)) {
    return TIMES[name] ?? value;
  }
  if (value === ANY_TEXT) {
    return Object.hasOwn(TEXTS, name) ? TEXTS[name] : value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => tellingExample(one, name));
  }
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, tellingMember(value, key, member)]),
      )
    : value;
}

/** The name and title of a person do not suit other records. */
function tellingMember(owner: object, key: string, member: unknown): unknown {
  if (key === 'title' && 'company' in owner) {
    return 'Founder';
  }
  if (key === 'name' && member === ANY_TEXT) {
    const [, name] = NAMES.find(([sibling]) => sibling in owner) ?? [];
    return name ?? tellingExample(member, key);
  }
  return tellingExample(member, key);
}

/** Names of records, by a member that they have. */
const NAMES = [
  ['duration', 'Check-up'],
  ['hasVariablePricing', 'Teeth cleaning'],
  ['stages', 'Sales'],
  ['probability', 'New'],
  ['pipelineId', 'Implant for Ada Lovelace'],
] as const;
