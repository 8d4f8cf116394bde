// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { CursorMeta, Deleted } from './shared.ts';

export interface WaitingPlace {
  id: string;
  calendarId: string;
  appointmentTypeId: string;
  contactId: string;
  contact: {
    firstName: string;
    lastName: string;
    email: string | null;
    phone: string | null;
  };
  status: 'waiting' | 'offered';
  /** the full day, in `timezone` */
  date: string;
  /** the customer's time zone */
  timezone: string;
  /** since when the customer waits */
  createdAt: string;
  offer: {
    startTime: string;
    endTime: string;
    /** until when the slot is held for the customer */
    expiresAt: string;
  } | null;
}

export interface WaitingListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  calendarId?: string | undefined;
  appointmentTypeId?: string | undefined;
}

export const waiting = (api: Api) => ({
  /**
   * List who waits for a full day, first in line first.
   *
   * Only days that are not over. `offer` is the freed slot that is held for the customer.
   * Customers who booked or left are not listed.
   *
   * Scope: `appointments:read`.
   */
  list: (query: WaitingListQuery = {}, options?: CallOptions) =>
    api.answer<WaitingPlace[], CursorMeta>('GET', path`/api/v1/calendars/waiting-list`, {
      query,
      options,
    }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: WaitingListQuery = {}, options?: CallOptions) =>
    iterateList<WaitingPlace, CursorMeta>(
      api,
      path`/api/v1/calendars/waiting-list`,
      query,
      options,
    ),

  /**
   * Remove a customer from the waiting list.
   *
   * A slot that is held for the customer is offered to the next in line. The customer gets no
   * message. Fires no event.
   *
   * Scope: `appointments:write`.
   */
  remove: (id: string, options?: CallOptions) =>
    api.data<Deleted>('DELETE', path`/api/v1/calendars/waiting-list/${id}`, { options }),
});
