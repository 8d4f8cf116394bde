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
  /** true if the price depends on quantity or options; quote it as a starting price */
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

export interface ActionableAppointment {
  appointment: CustomerAppointment | null;
}

export interface CancelledCustomerAppointment {
  id: string;
  cancelled: boolean;
  alreadyCancelled: boolean;
}

export interface RescheduledCustomerAppointment {
  /** the same as appointmentId */
  id: string;
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
  /** substring of the name, ignoring case; % and _ are ordinary characters */
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
  /** instead of email, phone and lastName */
  contactId?: string | null | undefined;
  /** exactly as stored, including case */
  email?: string | null | undefined;
  /** E.164; no country code is guessed */
  phone?: string | null | undefined;
  /** ignoring case; not sufficient alone */
  lastName?: string | null | undefined;
}

export interface BookingHistoryMeta {
  hasMore: boolean;
}

export interface BookingActionableBody {
  /** instead of email, phone and lastName */
  contactId?: string | null | undefined;
  /** exactly as stored, including case */
  email?: string | null | undefined;
  /** E.164; no country code is guessed */
  phone?: string | null | undefined;
  /** ignoring case; not sufficient alone */
  lastName?: string | null | undefined;
}

export interface BookingActionableMeta {
  ambiguous: boolean;
}

export interface BookingCancelBody {
  /** instead of email, phone and lastName */
  contactId?: string | null | undefined;
  /** exactly as stored, including case */
  email?: string | null | undefined;
  /** E.164; no country code is guessed */
  phone?: string | null | undefined;
  /** ignoring case; not sufficient alone */
  lastName?: string | null | undefined;
  appointmentId: string;
  /** must be true */
  confirm: true;
  reason?: string | null | undefined;
}

export interface BookingRescheduleBody {
  /** instead of email, phone and lastName */
  contactId?: string | null | undefined;
  /** exactly as stored, including case */
  email?: string | null | undefined;
  /** E.164; no country code is guessed */
  phone?: string | null | undefined;
  /** ignoring case; not sufficient alone */
  lastName?: string | null | undefined;
  appointmentId: string;
  /** epoch ms, or ISO 8601 with an offset */
  newStartTime: number | string;
  /** epoch ms, or ISO 8601 with an offset */
  newEndTime: number | string;
}

export const booking = (api: Api) => ({
  /**
   * List the services on sale.
   *
   * Newest first. `total: 0` with `search: null` means that no price list is published; `total:
   * 0` with a search means that nothing matches it.
   *
   * Scope: `service-types:read`.
   */
  serviceTypes: (query: BookingServiceTypesQuery = {}, options?: CallOptions) =>
    api.answer<ServiceType[], BookingServiceTypesMeta>('GET', path`/api/v1/booking/service-types`, {
      query,
      options,
    }),

  /**
   * List the quotes of a contact in a current conversation.
   *
   * At most 5 quotes, approved quotes first, then the newest. Returns the same 404 for an
   * unknown, foreign or deleted contact, and for a contact without a message in an open or
   * snoozed conversation in the last 24 hours.
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
   * Returns the 20 latest bookings, newest first, including cancelled and past appointments.
   * `hasMore` is true if there are more. Identify the customer by `contactId`, or by two of
   * `email`, `phone` and `lastName` that match exactly one contact. A failed identification and
   * a customer without bookings return the same 404.
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
   * Find the only upcoming appointment of a verified customer.
   *
   * Ignores cancelled and past appointments and those of a series. If none or several are left,
   * `appointment` is null and `ambiguous` is true: list them to know which. Identify the
   * customer by `contactId`, or by two of `email`, `phone` and `lastName` that match exactly
   * one contact. A failed identification and a customer without bookings return the same 404.
   *
   * Scope: `booking-appointments:read`.
   */
  actionable: (body: BookingActionableBody, options?: CallOptions) =>
    api.answer<ActionableAppointment, BookingActionableMeta>(
      'POST',
      path`/api/v1/booking/appointments/actionable`,
      { body, options, isLookup: true },
    ),

  /**
   * Cancel a verified customer's appointment.
   *
   * Cancelling again returns the same response with `alreadyCancelled: true`. A refusal is 400
   * with the reason `series` (the admins are notified), `started` or `too_late`. Fires
   * `appointment.cancelled`. Identify the customer by `contactId`, or by two of `email`,
   * `phone` and `lastName` that match exactly one contact. A failed identification and a
   * customer without bookings return the same 404.
   *
   * Scope: `booking-appointments:write`.
   */
  cancel: (body: BookingCancelBody, options?: CallOptions) =>
    api.data<CancelledCustomerAppointment>('POST', path`/api/v1/booking/appointments/cancel`, {
      body,
      options,
    }),

  /**
   * Move a verified customer's appointment.
   *
   * Pass `newStartTime` and `newEndTime` exactly as availability returned them. A refusal is
   * 400 with the reason `series` (the admins are notified), `started`,
   * `reschedule_not_allowed`, `too_late`, or a reason against the slot. Fires
   * `appointment.rescheduled`. Identify the customer by `contactId`, or by two of `email`,
   * `phone` and `lastName` that match exactly one contact. A failed identification and a
   * customer without bookings return the same 404.
   *
   * Scope: `booking-appointments:write`.
   */
  reschedule: (body: BookingRescheduleBody, options?: CallOptions) =>
    api.data<RescheduledCustomerAppointment>(
      'POST',
      path`/api/v1/booking/appointments/reschedule`,
      { body, options },
    ),
});
