import { defineCommand } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  appointmentCreate,
} from '../../../booking/appointments/appointment.schema.ts';
import { bookAppointment } from '../../../booking/appointments/book-appointment.ts';
import { bookSeries } from '../../../booking/appointments/book-series.ts';
import { setAppointmentStatus } from '../../../booking/appointments/change-appointment.ts';
import { prepareBooking } from '../../../booking/appointments/refresh-before-booking.ts';
import { alternativesIn } from '../../../booking/availability/booking-refusal.ts';
import {
  findAppointments,
  readAppointment,
} from '../../../booking/appointments/read-appointments.ts';
import type { AdminContext } from '../../open-admin.ts';
import {
  contactOption,
  given,
  knownContact,
  knownOffer,
  LIMIT_DEFAULT,
  limitOption,
  liveSubAccount,
  readEmail,
  readName,
  readTime,
  timeOption,
  subAccountOption,
  valueOf,
  viewOf,
  viewOfOwner,
} from '../answers.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly status: string;
  readonly assignedTo: string | null;
}

interface ListedRow extends Row {
  readonly contact: {
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string | null;
    readonly phone: string | null;
  } | null;
  readonly createdAt: string;
}

const list = defineCommand<AdminContext>()({
  path: 'admin appointment list',
  summary: 'List appointments, newest booking first',
  options: {
    subAccount: subAccountOption,
    from: timeOption('--from <time>', 'only starts from this time on'),
    to: timeOption('--to <time>', 'only starts up to this time'),
    status: {
      flag: '--status <status>',
      help: 'only appointments with this status',
      choices: APPOINTMENT_STATUSES,
    },
    contact: contactOption('appointments'),
    limit: limitOption(),
  },
  examples: [
    'frontdesk admin appointment list --sub-account 0198c0de-…',
    'frontdesk admin appointment list --sub-account 0198c0de-… --contact 0198c0de-…',
    'frontdesk admin appointment list --sub-account 0198c0de-… --from 2026-12-01T00:00:00Z --status confirmed',
  ],
  context: 'service',
  async run(context, { subAccount, from, to, status, contact, limit = LIMIT_DEFAULT }) {
    const view = await viewOf(context, subAccount);
    const [startDate, endDate] = [from?.getTime(), to?.getTime()];
    const contactId = await knownContact(context, view, contact);
    const wanted = status as AppointmentStatus | undefined;
    const filters = given({ startDate, endDate, status: wanted, contactId });
    const { data } = await findAppointments({
      view,
      query: { ...filters, limit },
      after: undefined,
    });
    const rows: ListedRow[] = valueOf(data);
    const table = rows.map(
      ({ id, startTime, status: state, contact: person, title, createdAt }) => {
        return { id, startTime, status: state, contact: nameOf(person), title, createdAt };
      },
    );
    return { json: rows, table, limit };
  },
});

/** Customers who write by SMS have no email. */
const nameOf = (person: ListedRow['contact']): string | null =>
  person && (`${person.firstName} ${person.lastName}`.trim() || person.email || person.phone);

const book = defineCommand<AdminContext>()({
  path: 'admin appointment book',
  summary: 'Book an appointment, or all appointments of a series in one transaction',
  options: {
    subAccount: subAccountOption,
    type: {
      flag: '--type <key>',
      label: 'Appointment type',
      help: 'key or ID of the appointment type',
      required: true,
    },
    start: {
      flag: '--start <time>',
      label: 'Start time',
      help: 'ISO 8601, for example 2026-12-01T09:00:00+01:00',
      required: true,
      parse: readTime,
    },
    email: {
      flag: '--email <email>',
      help: 'email of the customer',
      required: true,
      parse: readEmail,
    },
    firstName: {
      flag: '--first-name <name>',
      help: "the customer's first name",
      required: true,
      parse: readName,
    },
    lastName: {
      flag: '--last-name <name>',
      help: "the customer's last name",
      required: true,
      parse: readName,
    },
    phone: { flag: '--phone <phone>', help: 'phone of a new customer, in E.164 format' },
    notes: { flag: '--notes <text>', help: 'notes for the team member' },
    repeat: {
      flag: '--repeat <rule>',
      help: 'recurrence rule (RFC 5545), for example FREQ=WEEKLY;COUNT=3',
    },
  },
  examples: [
    'frontdesk admin appointment book --sub-account 0198c0de-… --type checkup-30 --start 2026-12-01T09:00:00+01:00 --email jo@example.com --first-name Jo --last-name Doe',
    'frontdesk admin appointment book --sub-account 0198c0de-… --type checkup-30 --start 2026-12-01T09:00:00+01:00 --email jo@example.com --first-name Jo --last-name Doe --repeat "FREQ=WEEKLY;COUNT=3"',
  ],
  context: 'service',
  async run(context, { subAccount, type: name, start, repeat, ...customer }) {
    const { transact, actor, openView, clock } = context;
    const { id: owner } = await liveSubAccount(context, subAccount);
    const { type } = await knownOffer(openView(owner, clock()), name);
    const startTime = start.getTime();
    const endTime = startTime + type.duration * MINUTE_MS;
    const body = { appointmentTypeId: type.id, startTime, endTime, ...given(customer) };
    const input = check(appointmentCreate, body, 'body');
    await prepareBooking({
      view: openView(owner, clock()),
      tools: context.tools,
      body: input,
      change: (change) => transact(owner, actor, change),
    });
    if (repeat === undefined) {
      const booked = await transact(
        owner,
        actor,
        (work) => bookAppointment(work, input),
        (view, { id }) => rowOf(view, id),
      ).catch(rethrowWithStarts);
      return { json: booked, table: tableRow(booked) };
    }
    const rows = await transact(
      owner,
      actor,
      (work) => bookSeries(work, input, repeat),
      (view, ids) => Promise.all(ids.map((id) => rowOf(view, id))),
    ).catch(rethrowWithStarts);
    return { json: rows, table: rows.map(tableRow) };
  },
});

/** A terminal shows the message of a refusal only, so the free starts become a line of it. */
function rethrowWithStarts(error: unknown): never {
  const free = error instanceof Fault ? alternativesIn(error) : [];
  if (!(error instanceof Fault) || free.length === 0) {
    throw error;
  }
  const starts = free.map(({ startTime }) => new Date(startTime).toISOString());
  throw new Fault(error.code, `${error.message}\nfree: ${starts.join(', ')}`, error.details);
}

const setStatus = defineCommand<AdminContext>()({
  path: 'admin appointment set-status',
  summary: 'Set the status of an appointment',
  arguments: ['id', 'status'],
  argumentChoices: { status: APPOINTMENT_STATUSES },
  examples: ['frontdesk admin appointment set-status 0198c0de-… confirmed'],
  context: 'service',
  async run(context, { id: named, status }) {
    const id = named.toLowerCase();
    const owner = { table: 'appointments', noun: 'appointment', id: named } as const;
    const { subAccountId } = await viewOfOwner(context, owner);
    const row = await context.transact(
      subAccountId,
      context.actor,
      (work) => setAppointmentStatus(work, id, status as AppointmentStatus),
      (view) => rowOf(view, id),
    );
    return { json: row, text: `${row.title} at ${row.startTime} is ${row.status}` };
  },
});

const rowOf = async (view: View, id: string): Promise<Row> =>
  valueOf(await readAppointment(view, id));

const tableRow = ({ id, title, startTime, endTime, status, assignedTo }: Row) => {
  return { id, title, startTime, status, endTime, assignedTo };
};

export const appointmentCommands = [list, book, setStatus];
