// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { AppointmentStatus, PageMeta } from './shared.ts';

export interface Appointment {
  id: string;
  calendarId: string;
  appointmentTypeId: string | null;
  contactId: string | null;
  title: string | null;
  startTime: string;
  endTime: string;
  status: AppointmentStatus;
  assignedTo: string | null;
  notes: string | null;
  createdAt: string;
  contact: {
    firstName: string;
    lastName: string;
    email: string | null;
    phone: string | null;
  } | null;
  updatedAt: string;
  cancelReason: string | null;
  partOfSeries: boolean;
}

export interface CancelledAppointment {
  id: string;
  cancelled: boolean;
}

export interface AppointmentsListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  calendarId?: string | undefined;
  contactId?: string | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  startDate?: number | string | undefined;
  /** epoch ms, or ISO 8601 with an offset */
  endDate?: number | string | undefined;
  status?: AppointmentStatus | undefined;
}

export interface AppointmentsCreateBody {
  appointmentTypeId: string;
  /** epoch ms, or ISO 8601 with an offset */
  startTime: number | string;
  /** epoch ms, or ISO 8601 with an offset */
  endTime: number | string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  /** required unless phone or contactId is given */
  email?: string | null | undefined;
  phone?: string | null | undefined;
  notes?: string | null | undefined;
  /** instead of firstName, lastName and email */
  contactId?: string | null | undefined;
  /** the team member who must take it; by default, the calendar decides */
  assignedTo?: string | null | undefined;
}

export interface AppointmentsUpdateBody {
  status: AppointmentStatus;
}

export interface AppointmentsRescheduleBody {
  /** epoch ms, or ISO 8601 with an offset */
  startTime: number | string;
  /** epoch ms, or ISO 8601 with an offset */
  endTime: number | string;
  /**
   * the team member who takes the appointment; without it, the current one if they are free,
   * else another one
   */
  assignedTo?: string | undefined;
}

export interface AppointmentsCancelQuery {
  reason?: string | undefined;
}

export const appointments = (api: Api) => ({
  /**
   * List appointments, newest first.
   *
   * Sorted by creation time; cancelled appointments are included. `startDate` and `endDate`
   * (both inclusive) filter by start time.
   *
   * Scope: `appointments:read`.
   */
  list: (query: AppointmentsListQuery = {}, options?: CallOptions) =>
    api.answer<Appointment[], PageMeta>('GET', path`/api/v1/calendars/appointments`, {
      query,
      options,
    }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: AppointmentsListQuery = {}, options?: CallOptions) =>
    iterateList<Appointment, PageMeta>(api, path`/api/v1/calendars/appointments`, query, options),

  /**
   * Get one appointment.
   *
   * Scope: `appointments:read`.
   */
  get: (id: string, options?: CallOptions) =>
    api.data<Appointment>('GET', path`/api/v1/calendars/appointments/${id}`, { options }),

  /**
   * Book a slot.
   *
   * Pass `startTime` and `endTime` exactly as availability returned them. Name the customer by
   * `contactId`, or by `firstName`, `lastName` and `email` or `phone`. The contact is found by
   * email, ignoring case, or by phone if no email is given. A contact that is found is not
   * changed; if none is found, one is created. A phone of several contacts is refused with the
   * reason `ambiguous_phone` and their ids in `details.contactIds`. `assignedTo` names the team
   * member who must take it. A refused start gives the reason in `details.reason`, and up to
   * three free starts in `details.alternatives`. Fires `appointment.booked`, after
   * `contact.created` if a contact was created.
   *
   * Scope: `appointments:write`.
   */
  create: (body: AppointmentsCreateBody, options?: CallOptions) =>
    api.data<Appointment>('POST', path`/api/v1/calendars/appointments`, { body, options }),

  /**
   * Confirm, complete or cancel an appointment, or mark it as a no-show.
   *
   * Allowed: scheduled → confirmed, completed, no_show, cancelled; confirmed → completed,
   * no_show, cancelled; completed ↔ no_show. `completed` and `no_show` can be set only after
   * the start. Any other change returns 400 with the reason `invalid_transition`. Fires the
   * event of the new status.
   *
   * Scope: `appointments:write`.
   */
  update: (id: string, body: AppointmentsUpdateBody, options?: CallOptions) =>
    api.data<Appointment>('PATCH', path`/api/v1/calendars/appointments/${id}`, { body, options }),

  /**
   * Move an appointment to another slot.
   *
   * The new slot is checked and refused like a new booking; the current slot counts as free.
   * The team member stays the same if they are free. `assignedTo` names the member who must
   * take it. To change only the member, send the current times. Fires
   * `appointment.rescheduled`, or nothing if nothing changes.
   *
   * Scope: `appointments:write`.
   */
  reschedule: (id: string, body: AppointmentsRescheduleBody, options?: CallOptions) =>
    api.data<Appointment>('POST', path`/api/v1/calendars/appointments/${id}/reschedule`, {
      body,
      options,
    }),

  /**
   * Cancel an appointment.
   *
   * Frees the slot. Fires `appointment.cancelled`. Cancelling again returns the same response
   * and fires nothing.
   *
   * Scope: `appointments:write`.
   */
  cancel: (id: string, query: AppointmentsCancelQuery = {}, options?: CallOptions) =>
    api.data<CancelledAppointment>('DELETE', path`/api/v1/calendars/appointments/${id}`, {
      query,
      options,
    }),
});
