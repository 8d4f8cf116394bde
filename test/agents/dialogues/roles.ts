import type { Scope } from '#core/scope.ts';

/** The scopes of a booking assistant. */
export const BOOKING_SCOPES: readonly Scope[] = [
  'availability:read',
  'appointments:read',
  'appointments:write',
  'contacts:read',
  'contacts:write',
];

/** The scopes of a support bot. */
export const SUPPORT_SCOPES: readonly Scope[] = [
  'contacts:read',
  'conversations:read',
  'conversations:write',
  'availability:read',
  'booking-appointments:read',
  'booking-appointments:write',
  'service-types:read',
  'booking-estimates:read',
  'tasks:read',
  'tasks:write',
];

/** The scopes of a sales assistant. */
export const SALES_SCOPES: readonly Scope[] = [
  'contacts:read',
  'contacts:write',
  'opportunities:read',
  'opportunities:write',
  'tasks:read',
  'tasks:write',
];
