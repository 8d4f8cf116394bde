// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Slot } from './shared.ts';

export interface Calendar {
  id: string;
  name: string;
  type: 'personal' | 'round-robin' | 'collective' | 'class';
  timezone: string;
}

export interface AppointmentType {
  id: string;
  calendarId: string;
  name: string;
  /** minutes */
  duration: number;
  slug: string;
}

export interface CalendarsTypesQuery {
  calendarId?: string | undefined;
}

export interface CalendarsAvailabilityQuery {
  /** required unless appointmentType is given */
  appointmentTypeId?: string | undefined;
  /** name or slug of the type, without case */
  appointmentType?: string | undefined;
  /** the first day, in the calendar's time zone */
  date: string;
  /** the last day, included; at most 31 days in all */
  endDate?: string | undefined;
}

export interface CalendarsAvailabilityMeta {
  timezone: string;
  appointmentTypeId: string | null;
  startDate: string;
  endDate: string;
  days: number;
  daysReturned: number;
  truncated: boolean;
}

export const calendars = (api: Api) => ({
  /**
   * List the active calendars.
   *
   * In the order of the manifest, which sets them up. Nothing of customers is in it.
   *
   * Scope: `availability:read`.
   */
  list: (options?: CallOptions) =>
    api.data<Calendar[]>('GET', path`/api/v1/calendars`, { options }),

  /**
   * List the appointment types that can be booked.
   *
   * Those that are active, in the order of the manifest, of one calendar or of all.
   *
   * Scope: `availability:read`.
   */
  types: (query: CalendarsTypesQuery = {}, options?: CallOptions) =>
    api.data<AppointmentType[]>('GET', path`/api/v1/calendars/types`, { query, options }),

  /**
   * Free slots of an appointment type, day by day.
   *
   * Only what can be booked now: opening hours, overrides, bookings, buffers, notice and seats
   * are accounted for. Each day costs one request of the key's rate; where fewer are left, the
   * whole days that fit are returned with `truncated: true`. A type that is unknown or switched
   * off returns an empty list.
   *
   * Scope: `availability:read`.
   */
  availability: (query: CalendarsAvailabilityQuery, options?: CallOptions) =>
    api.answer<Slot[], CalendarsAvailabilityMeta>('GET', path`/api/v1/calendars/availability`, {
      query,
      options,
    }),
});
