// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { AppointmentStatus, Slot } from './shared.ts';

export interface BookingConfig {
  subAccountId: string;
  brand: string;
  timezone: string;
  types: {
    id: string;
    name: string;
    slug: string;
    /** minutes */
    duration: number;
    calendarId: string;
    description?: string;
    /** in `currency` */
    price?: number;
    currency?: string;
    location?: string;
    /** true if the type has a video link; it is shown only after the booking */
    hasVideoLink?: true;
  }[];
}

export interface BookedAppointment {
  id: string;
  calendarId: string;
  appointmentTypeId: string | null;
  title: string | null;
  startTime: string;
  endTime: string;
  status: AppointmentStatus;
  notes: string | null;
  createdAt: string;
  contact: {
    firstName: string;
    lastName: string;
    email: string;
    phone: string | null;
  };
  /** a page where anyone with the link can cancel or move the appointment */
  manageUrl: string;
}

export interface PublicBookingConfigQuery {
  subAccountId: string;
}

export interface PublicBookingAvailabilityQuery {
  subAccountId: string;
  /** required unless appointmentType is given */
  appointmentTypeId?: string | undefined;
  /** name or slug of the type, ignoring case */
  appointmentType?: string | undefined;
  /** the first day, in the calendar's time zone */
  date: string;
  /** the last day, inclusive; a range has at most 31 days */
  endDate?: string | undefined;
}

export interface PublicBookingAvailabilityMeta {
  timezone: string;
  appointmentTypeId: string | null;
  startDate: string;
  endDate: string;
  days: number;
  daysReturned: number;
  truncated: boolean;
  /** why the type has no slots at all */
  unresolved?: 'unknown' | 'inactive';
}

export interface PublicBookingCreateBody {
  subAccountId: string;
  appointmentTypeId: string;
  /** epoch ms, or ISO 8601 with an offset */
  startTime: number | string;
  /** epoch ms, or ISO 8601 with an offset */
  endTime: number | string;
  firstName: string;
  lastName: string;
  email: string;
  phone?: string | null | undefined;
  notes?: string | null | undefined;
}

export const publicBooking = (api: Api) => ({
  /** Get the appointment types that visitors can book. */
  config: (query: PublicBookingConfigQuery, options?: CallOptions) =>
    api.data<BookingConfig>('GET', path`/api/booking/config`, { query, options }),

  /**
   * List free slots for visitors by day.
   *
   * Like `GET /api/v1/calendars/availability`. Each day counts against the limit `availability`
   * of the caller's address. If too few are left, or if slots start every few minutes, the
   * whole days that fit are returned with `truncated: true`. For a type without slots at all,
   * `meta.unresolved` says whether it is unknown or inactive.
   */
  availability: (query: PublicBookingAvailabilityQuery, options?: CallOptions) =>
    api.answer<Slot[], PublicBookingAvailabilityMeta>('GET', path`/api/booking/availability`, {
      query,
      options,
    }),

  /**
   * Book a slot as a visitor.
   *
   * Pass `startTime` and `endTime` exactly as availability returned them. If a contact has this
   * email, the booking is theirs, and the contact is not changed. Otherwise a contact is
   * created. The response reveals nothing about the contact. A refused start gives the reason
   * in `details.reason`, and up to three free starts in `details.alternatives`. A contact that
   * already has an appointment of the type at that start is refused with `slot_unavailable` and
   * `details.alreadyBooked: true`, except in classes. Fires `appointment.booked`, after
   * `contact.created` if a contact was created.
   */
  create: (body: PublicBookingCreateBody, options?: CallOptions) =>
    api.data<BookedAppointment>('POST', path`/api/booking/appointments`, { body, options }),
});
