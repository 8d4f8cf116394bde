import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import type { CachedRead } from '#core/work.ts';
import { bookableCalendars } from './offers.ts';
import { CALENDAR_KINDS, type Schedule } from './schedule.ts';

/** A calendar (spec "Calendar"), without any data of customers. */
const calendarSchema = s.response({
  id: s.uuid(),
  name: Type.String(),
  type: s.oneOf(CALENDAR_KINDS),
  timezone: s.timeZone(),
});

/** A team member that a customer can choose. `key` is the one of the manifest. */
const bookableMember = s.response({
  id: s.uuid(),
  key: Type.String({ examples: ['ada'] }),
  name: Type.String({ examples: ['Dr. Ada Byron'] }),
});

/** An appointment type (spec "Appointment type"). */
const appointmentTypeSchema = s.response({
  id: s.uuid(),
  calendarId: s.uuid(),
  name: Type.String(),
  duration: Type.Integer({ minimum: 1, description: 'minutes' }),
  slug: Type.String(),
  members: Type.Array(bookableMember, {
    description: 'the team members that `assignedTo` can name; none if there is no choice',
  }),
});

const TEAM: CachedRead<Static<typeof bookableMember>> = {
  tables: ['team_members'],
  text: 'select id, key, name from team_members where sub_account_id = $1',
};

/** Returns the ids of the members who take turns, if there are several. */
const choicesOf = ({ kind, members }: Schedule): readonly string[] =>
  (kind === 'round-robin' || kind === 'class') && members.length > 1
    ? members.map(({ memberId }) => memberId)
    : [];

export const calendarEndpoints = [
  defineKeyedEndpoint({
    id: 'calendars.list',
    method: 'GET',
    path: '/api/v1/calendars',
    summary: 'List the active calendars',
    description:
      'In the order of the manifest, which configures them. Contains no data of customers.',
    access: scope('availability:read'),
    rate: 'read',
    data: Type.Array(calendarSchema),
    async read({ view }) {
      const calendars = await bookableCalendars(view);
      return {
        data: calendars.map(({ id, name, kind: type, timezone }) => ({ id, name, type, timezone })),
      };
    },
  }),

  defineKeyedEndpoint({
    id: 'calendars.types',
    method: 'GET',
    path: '/api/v1/calendars/types',
    summary: 'List the appointment types that can be booked',
    description:
      'Active types in the order of the manifest, of one calendar or of all. If any of several team members could take an appointment, `members` lists them. Send the id of one as `assignedTo`, with availability and with bookings.',
    access: scope('availability:read'),
    rate: 'read',
    agent: {
      tool: 'find_times',
      does: 'Without a type, lists the types that can be booked, with the members a customer can choose.',
    },
    query: s.request({ calendarId: Type.Optional(s.uuid()) }),
    data: Type.Array(appointmentTypeSchema),
    async read({ view, query: { calendarId } }) {
      const calendars = await bookableCalendars(view);
      const team = await view.cached(TEAM);
      const selected = calendars.filter(({ id }) => calendarId === undefined || id === calendarId);
      return {
        data: selected.flatMap((calendar) => {
          const members = choicesOf(calendar.schedule).flatMap((id) =>
            team.filter((one) => one.id === id),
          );
          return calendar.types
            .filter(({ isActive }) => isActive)
            .map(({ id, name, duration, slug }) => {
              return { id, calendarId: calendar.id, name, duration, slug, members };
            });
        }),
      };
    },
  }),
];
