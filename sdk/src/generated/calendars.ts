// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { wholeList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Slot } from './shared.ts';

export interface Calendar {
  id: string;
  name: string;
  type: 'personal' | 'round-robin' | 'collective' | 'class';
  timezone: string;
}

export interface BookableMember {
  id: string;
  key: string;
  name: string;
}

export interface AppointmentType {
  id: string;
  calendarId: string;
  name: string;
  /** minutes */
  duration: number;
  slug: string;
  /** the team members that `assignedTo` can name; none if there is no choice */
  members: BookableMember[];
}

export interface CalendarsTypesQuery {
  calendarId?: string | undefined;
  cursor?: string | undefined;
}

export interface CalendarsAvailabilityQuery {
  /** required unless appointmentType is given */
  appointmentTypeId?: string | undefined;
  /** name or slug of the type, ignoring case */
  appointmentType?: string | undefined;
  /** the first day, in the calendar's time zone */
  date: string;
  /** the last day, inclusive; a range has at most 31 days */
  endDate?: string | undefined;
  /** a team member: returns only the slots that they can take */
  assignedTo?: string | undefined;
}

export interface CalendarsAvailabilityMeta {
  timezone: string;
  appointmentTypeId: string | null;
  startDate: string;
  endDate: string;
  days: number;
  daysReturned: number;
  truncated: boolean;
  /** why the type has no slots at all */
  unresolved?: 'unknown' | 'inactive';
  /** slugs of the active types, if the type is unresolved */
  known?: string[];
}

export const calendars = (api: Api) => ({
  /**
   * List the active calendars.
   *
   * In the order of the manifest, which configures them. Contains no data of customers.
   *
   * Scope: `availability:read`.
   */
  list: (options?: CallOptions) =>
    api.data<Calendar[]>('GET', path`/api/v1/calendars`, { options }),

  /**
   * List the appointment types that can be booked.
   *
   * Active types in the order of the manifest, of one calendar or of all. If any of several
   * team members could take an appointment, `members` lists them. Send the id of one as
   * `assignedTo`, with availability and with bookings. The list has no `limit`: a page ends at
   * 4 MB.
   *
   * Scope: `availability:read`.
   */
  types: (query: CalendarsTypesQuery = {}, options?: CallOptions) =>
    wholeList<AppointmentType>(api, path`/api/v1/calendars/types`, query, options),

  /**
   * List the free slots of an appointment type by day.
   *
   * Returns only slots that can be booked now. Opening hours, overrides, bookings, buffers,
   * notice and seats are taken into account. Each day costs one request of the key's rate. If
   * too few requests are left, the whole days that fit are returned with `truncated: true`. An
   * unknown or inactive type returns an empty list; `meta.unresolved` says which, and
   * `meta.known` lists the slugs of the active types.
   *
   * Scope: `availability:read`.
   */
  availability: (query: CalendarsAvailabilityQuery, options?: CallOptions) =>
    api.answer<Slot[], CalendarsAvailabilityMeta>('GET', path`/api/v1/calendars/availability`, {
      query,
      options,
    }),
});
