import { exampleId } from '#core/schema/example.ts';
import type { RequestExamples } from '#platform/openapi/request-body.ts';

/** 2026-12-01T09:00:00Z. */
const START = 1_796_115_600_000;
const HALF_HOUR_MS = 1_800_000;
const time = { startTime: START, endTime: START + HALF_HOUR_MS };

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const grace = { email: 'grace@example.com', lastName: 'Hopper' };
const contactId = exampleId('contactId');
const appointmentTypeId = exampleId('appointmentTypeId');
const ofAppointment = { appointmentId: exampleId('appointmentId') };
const moved = { newStartTime: START, newEndTime: START + HALF_HOUR_MS };

const byContact = (more: object = {}) => ({
  summary: 'a contact that is known',
  value: { contactId, ...more },
});
const byCustomer = (more: object = {}) => ({
  summary: 'a customer who gives two of email, phone and last name',
  value: { ...grace, ...more },
});

const ofAda = {
  summary: 'an email address of the contact',
  value: { channel: 'email', address: ada.email },
};

const availability = { appointmentType: 'check-up', endDate: '2026-12-02' };

const OUTCOMES = {
  won: { summary: 'won', value: { status: 'won' } },
  lost: { summary: 'lost', value: { status: 'lost', lostReason: 'Too expensive' } },
};

/**
 * Examples that work as they stand, for endpoints whose generated example would be refused. A test
 * sends every example to a server.
 */
export const REQUEST_EXAMPLES: RequestExamples = {
  queries: {
    'calendars.availability': availability,
    'public-booking.availability': availability,
  },
  bodies: {
    'appointments.create': {
      customer: { summary: 'a customer', value: { appointmentTypeId, ...time, ...ada } },
      contact: { summary: 'a known contact', value: { appointmentTypeId, ...time, contactId } },
      notes: {
        summary: 'with a phone number and notes',
        value: {
          appointmentTypeId,
          ...time,
          ...ada,
          phone: '+4930123456',
          notes: 'Prefers mornings.',
        },
      },
    },
    'booking.history': { customer: byCustomer(), contact: byContact() },
    'booking.actionable': { customer: byCustomer(), contact: byContact() },
    'booking.cancel': {
      customer: byCustomer({ ...ofAppointment, confirm: true }),
      contact: byContact({ ...ofAppointment, confirm: true, reason: 'Cannot come.' }),
    },
    'booking.reschedule': {
      customer: byCustomer({ ...ofAppointment, ...moved }),
      contact: byContact({ ...ofAppointment, ...moved }),
    },
    'callbacks.inbound': {
      least: {
        summary: 'required members',
        value: { externalId: 'SM4f1d2c', from: '+4930123456', bodyText: 'See you on Tuesday.' },
      },
      file: {
        summary: 'with a file',
        value: {
          externalId: 'SM4f1d2c',
          from: '+4930123456',
          bodyText: 'The x-ray.',
          attachments: [{ name: 'x-ray.png', url: 'https://example.com/x-ray.png' }],
        },
      },
    },
    'campaigns.create': {
      list: {
        summary: 'to the default list of the template',
        value: {
          name: 'Winter opening hours',
          subject: 'Open until the 23rd, {{firstName|dear customer}}',
          preheader: 'And back on 2 January',
          contentHtml: '<p>We are open until 23 December.</p>',
          layout: 'Newsletter',
        },
      },
    },
    'chat.message': {
      message: {
        summary: 'a message',
        value: {
          sessionId: 'kT3vQ9xW2mZ7bN4cR8pL1sD6fH0jY5gA',
          message: 'Hello, do you have time on Tuesday?',
        },
      },
    },
    'contacts.create': {
      least: {
        summary: 'required members',
        value: { firstName: 'Ada', lastName: 'Lovelace' },
      },
      person: {
        summary: 'a person with email, phone and tags',
        value: { ...ada, phone: '+4930123456', company: 'Analytical Engines', tags: ['lead'] },
      },
    },
    'contacts.update': {
      fields: {
        summary: 'change a field, clear another',
        value: { company: 'Analytical Engines', phone: null },
      },
      customer: { summary: 'a lead becomes a customer', value: { lifecycleStage: 'customer' } },
    },
    'contacts.upsert': {
      email: {
        summary: 'found by email, or created; the tags are added',
        value: { ...ada, tags: ['newsletter'] },
      },
      phone: {
        summary: 'found by phone, or created',
        value: { firstName: 'Sam', lastName: 'Poe', phone: '+442079460018' },
      },
    },
    'contacts.bot-update': {
      field: {
        summary: 'set a field',
        value: { operation: 'set_field', field: 'company', value: 'Analytical Engines' },
      },
      tag: { summary: 'add a tag', value: { operation: 'add_tag', value: 'vip' } },
    },
    'contacts.merge': {
      duplicate: {
        summary: 'the contact to merge and remove',
        value: { contactId: exampleId('otherContactId') },
      },
    },
    'contacts.merge-preview': {
      duplicate: {
        summary: 'the contact that would be merged and removed',
        value: { contactId: exampleId('otherContactId') },
      },
    },
    'contacts.change-many': {
      filter: {
        summary: 'tag all that a filter finds',
        value: { filter: { lifecycleStage: 'lead' }, change: { addTags: ['spring-offer'] } },
      },
    },
    'contacts.suppress': { email: ofAda },
    'contacts.unsuppress': { email: ofAda },
    'exports.selection': {
      filter: { summary: 'all with a tag', value: { filter: { tags: ['vip'] } } },
    },
    'conversations.create': {
      sms: { summary: 'by SMS', value: { contactId, channel: 'sms' } },
      email: {
        summary: 'by email, with a subject',
        value: { contactId, channel: 'email', subject: 'Your appointment' },
      },
    },
    'conversations.send': {
      message: {
        summary: 'a message',
        value: { channel: 'sms', bodyText: 'See you on Tuesday.' },
      },
      note: {
        summary: 'a note for the team',
        value: { channel: 'sms', bodyText: 'Called back.', isInternal: true },
      },
    },
    'conversations.update': {
      assign: {
        summary: 'assign',
        value: { status: 'open', assignedTo: exampleId('assignedTo'), isArchived: false },
      },
      snooze: {
        summary: 'snooze until a time',
        value: { status: 'snoozed', snoozedUntil: '2099-12-01T09:00:00Z' },
      },
    },
    'opportunities.set-status': OUTCOMES,
    'opportunities.mark': OUTCOMES,
  },
};
