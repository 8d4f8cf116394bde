import type { Choice } from './tool.ts';
import type { Arguments } from './action.ts';

const has = (given: Arguments, name: string): boolean => given[name] !== undefined;

/** Tools of several endpoints, and how each chooses one. */
export const CHOICES: readonly Choice[] = [
  {
    name: 'save_contact',
    choose: (given) => ({
      id: has(given, 'contactId') ? 'contacts.update' : 'contacts.upsert',
      given,
    }),
  },
  {
    name: 'find_times',
    choose: (given) => ({
      id:
        has(given, 'appointmentTypeId') || has(given, 'appointmentType')
          ? 'calendars.availability'
          : 'calendars.types',
      given,
    }),
  },
  {
    name: 'customer_change',
    properties: { action: { type: 'string', enum: ['cancel', 'reschedule'] } },
    required: ['action'],
    // The schema asks for `confirm` whatever the action is; only cancelling takes it.
    choose: ({ action, confirm, ...given }) =>
      action === 'cancel'
        ? { id: 'booking.cancel', given: { ...given, ...(confirm !== undefined && { confirm }) } }
        : { id: 'booking.reschedule', given },
  },
  {
    name: 'prices_and_quotes',
    choose: (given) => ({
      id: has(given, 'contactId') ? 'booking.estimates' : 'booking.service-types',
      given,
    }),
  },
  {
    name: 'save_task',
    choose: (given) => ({ id: has(given, 'taskId') ? 'tasks.update' : 'tasks.create', given }),
  },
];
