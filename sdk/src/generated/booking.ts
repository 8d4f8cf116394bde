// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { AppointmentStatus } from './shared.ts';

export interface ServiceType {
  id: string;
  name: string;
  description: string | null;
  category: string | null;
  folder: string | null;
  price: number;
  currency: string;
  /** the real price depends on quantity or options: quote it as a starting point */
  hasVariablePricing: boolean;
}

export interface Estimate {
  id: string;
  number: string;
  status: 'draft' | 'sent' | 'approved' | 'declined' | 'expired' | 'invoiced';
  isApproved: boolean;
  total: number;
  currency: string;
  validUntil: string | null;
  isExpired: boolean;
  approvedAt: string | null;
  createdAt: string;
}

export interface CustomerAppointment {
  appointmentId: string;
  label: string;
  start: string;
  end: string;
  /** epoch ms */
  startTime: number;
  /** epoch ms */
  endTime: number;
  timezone: string;
  status: AppointmentStatus;
  appointmentTypeName: string | null;
  partOfSeries: boolean;
  canCancel: boolean;
  canReschedule: boolean;
}

export interface BookingServiceTypesQuery {
  /** stands in the name, without case; % and _ mean themselves */
  search?: string | undefined;
  limit?: number | undefined;
}

export interface BookingServiceTypesMeta {
  total: number;
  hasMore: boolean;
  limit: number;
  search: string | null;
}

export interface BookingEstimatesQuery {
  contactId: string;
}

export interface BookingEstimatesMeta {
  total: number;
}

export interface BookingHistoryBody {
  /** alone, without the others */
  contactId?: string | undefined;
  /** exactly as it is kept, case included */
  email?: string | undefined;
  /** E.164; no country code is guessed */
  phone?: string | undefined;
  /** without case; never enough alone */
  lastName?: string | undefined;
}

export interface BookingHistoryMeta {
  hasMore: boolean;
}

export interface BookingActionableBody {
  /** alone, without the others */
  contactId?: string | undefined;
  /** exactly as it is kept, case included */
  email?: string | undefined;
  /** E.164; no country code is guessed */
  phone?: string | undefined;
  /** without case; never enough alone */
  lastName?: string | undefined;
}

export interface BookingActionableData {
  appointment: CustomerAppointment | null;
}

export interface BookingActionableMeta {
  ambiguous: boolean;
}

export interface BookingCancelBody {
  /** alone, without the others */
  contactId?: string | undefined;
  /** exactly as it is kept, case included */
  email?: string | undefined;
  /** E.164; no country code is guessed */
  phone?: string | undefined;
  /** without case; never enough alone */
  lastName?: string | undefined;
  appointmentId: string;
  /** must be true */
  confirm: true;
  reason?: string | null | undefined;
}

export interface BookingCancelData {
  id: string;
  cancelled: boolean;
  alreadyCancelled: boolean;
}

export interface BookingRescheduleBody {
  /** alone, without the others */
  contactId?: string | undefined;
  /** exactly as it is kept, case included */
  email?: string | undefined;
  /** E.164; no country code is guessed */
  phone?: string | undefined;
  /** without case; never enough alone */
  lastName?: string | undefined;
  appointmentId: string;
  /** epoch ms */
  newStartTime: number;
  /** epoch ms */
  newEndTime: number;
}

export const booking = (api: Api) => ({
  /**
   * The published price list.
   *
   * Only what is on sale. `search: null` with `total: 0` means that no price list is published;
   * a search with `total: 0` that nothing matches it.
   *
   * Scope: `service-types:read`.
   */
  serviceTypes: (query: BookingServiceTypesQuery = {}, options?: CallOptions) =>
    api.answer<ServiceType[], BookingServiceTypesMeta>('GET', path`/api/v1/booking/service-types`, {
      query,
      options,
    }),

  /**
   * Quotes of the contact that a conversation is with.
   *
   * At most 5, approved ones first, then the newest. Answers the same 404 for a contact who is
   * unknown, foreign or deleted, and for one with whom no message was exchanged in a live
   * conversation for 24 hours.
   *
   * Scope: `booking-estimates:read`.
   */
  estimates: (query: BookingEstimatesQuery, options?: CallOptions) =>
    api.answer<Estimate[], BookingEstimatesMeta>('GET', path`/api/v1/booking/estimates`, {
      query,
      options,
    }),

  /**
   * List a verified customer's appointments.
   *
   * All of them, cancelled and past ones included, the latest booking first; twenty at most,
   * with `hasMore` where there are more. The customer is the contact with this `contactId`, or
   * the only one that matches two of `email`, `phone` and `lastName`. Every failed
   * identification, and a customer without bookings, returns the same 404.
   *
   * Scope: `booking-appointments:read`.
   */
  history: (body: BookingHistoryBody, options?: CallOptions) =>
    api.answer<CustomerAppointment[], BookingHistoryMeta>(
      'POST',
      path`/api/v1/booking/appointments`,
      { body, options, isLookup: true },
    ),

  /**
   * Find the one appointment that a verified customer can mean.
   *
   * Without cancelled and past ones and those of a series. Where none is left, or several are,
   * `appointment` is null and `ambiguous` true. The customer is the contact with this
   * `contactId`, or the only one that matches two of `email`, `phone` and `lastName`. Every
   * failed identification, and a customer without bookings, returns the same 404.
   *
   * Scope: `booking-appointments:read`.
   */
  actionable: (body: BookingActionableBody, options?: CallOptions) =>
    api.answer<BookingActionableData, BookingActionableMeta>(
      'POST',
      path`/api/v1/booking/appointments/actionable`,
      { body, options, isLookup: true },
    ),

  /**
   * Cancel a verified customer's appointment.
   *
   * A second call returns the same with `alreadyCancelled: true`. 400 with the reason `series`
   * (the admins are told), `started` or `too_late`. Fires `appointment.cancelled`. The customer
   * is the contact with this `contactId`, or the only one that matches two of `email`, `phone`
   * and `lastName`. Every failed identification, and a customer without bookings, returns the
   * same 404.
   *
   * Scope: `booking-appointments:write`.
   */
  cancel: (body: BookingCancelBody, options?: CallOptions) =>
    api.data<BookingCancelData>('POST', path`/api/v1/booking/appointments/cancel`, {
      body,
      options,
    }),

  /**
   * Move a verified customer's appointment.
   *
   * Take `newStartTime` and `newEndTime` from availability as they are. 400 with the reason
   * `series` (the admins are told), `started`, `reschedule_not_allowed`, `too_late`, or the
   * reason against the slot. Fires `appointment.rescheduled`. The customer is the contact with
   * this `contactId`, or the only one that matches two of `email`, `phone` and `lastName`.
   * Every failed identification, and a customer without bookings, returns the same 404.
   *
   * Scope: `booking-appointments:write`.
   */
  reschedule: (body: BookingRescheduleBody, options?: CallOptions) =>
    api.data<CustomerAppointment>('POST', path`/api/v1/booking/appointments/reschedule`, {
      body,
      options,
    }),
});
