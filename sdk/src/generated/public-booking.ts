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
  /** name or slug of the type, without case */
  appointmentType?: string | undefined;
  /** the first day, in the calendar's time zone */
  date: string;
  /** the last day, included; at most 31 days in all */
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
}

export interface PublicBookingCreateBody {
  subAccountId: string;
  appointmentTypeId: string;
  /** epoch ms */
  startTime: number;
  /** epoch ms */
  endTime: number;
  firstName: string;
  lastName: string;
  email: string;
  phone?: string | null | undefined;
  notes?: string | null | undefined;
}

export const publicBooking = (api: Api) => ({
  /** Get what visitors can book. */
  config: (query: PublicBookingConfigQuery, options?: CallOptions) =>
    api.data<BookingConfig>('GET', path`/api/booking/config`, { query, options }),

  /**
   * Free slots for visitors, day by day.
   *
   * Like the availability that keys get. Each day counts against the limit `availability` of
   * the address; where fewer are left, or where slots begin every few minutes, the whole days
   * that fit are returned with `truncated: true`.
   */
  availability: (query: PublicBookingAvailabilityQuery, options?: CallOptions) =>
    api.answer<Slot[], PublicBookingAvailabilityMeta>('GET', path`/api/booking/availability`, {
      query,
      options,
    }),

  /**
   * Book a slot as a visitor.
   *
   * Take `startTime` and `endTime` from availability as they are. The contact is found by email
   * and not changed, or created; the response reveals nothing about it. A refusal says why in
   * `details.reason`. Fires `appointment.booked`, and `contact.created` before it where one was
   * made.
   */
  create: (body: PublicBookingCreateBody, options?: CallOptions) =>
    api.data<BookedAppointment>('POST', path`/api/booking/appointments`, { body, options }),
});
