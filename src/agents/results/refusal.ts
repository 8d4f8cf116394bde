import type { Fault, FaultCode } from '#core/fault.ts';
import { localText } from './local-times.ts';

/** A refusal as agents see it: Frontdesk's code, the reason, and what to do next. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly details?: object;
  /** Seconds, of a refused rate. */
  readonly retryAfter?: number;
}

/** What to do after each code; reasons of details come first. */
const NEXT: Partial<Record<FaultCode, string>> = {
  VALIDATION_ERROR: 'Correct the named arguments and call again.',
  NOT_FOUND: 'Check the id: look it up with a find or list tool, then call again.',
  FORBIDDEN: 'Tell the user that this API key may not do that. Do not try another way.',
  IDEMPOTENCY_IN_PROGRESS: 'Wait a few seconds and call again with the same arguments.',
  SERVICE_UNAVAILABLE: 'Wait a minute and call again with the same arguments.',
  INTERNAL_ERROR: 'Tell the user that something failed; nothing was changed.',
  PAYLOAD_TOO_LARGE: 'Send less at once.',
};

const NEXT_BY_REASON: Readonly<Record<string, string>> = {
  duplicate_email: 'Use find_contact with this email, and save_contact with its contactId.',
  ambiguous_phone: 'Ask for the email address, or choose one of details.contactIds.',
  invalid_transition: 'Read the record again: its status does not allow this change.',
  channel_not_configured: 'Use another channel, or tell the user that this one is not set up.',
  outside_messaging_window: 'Use another channel, or wait until the customer writes again.',
  approval_denied: 'Tell the user that a person denied this. Do not ask again on your own.',
  approval_outgrown:
    'Tell the user that this would now reach more people than approved; with repeat: true you ask again.',
  approval_expired:
    'Tell the user that no person decided in time; with repeat: true you ask again.',
};

/** Looking a customer up would give away what the person who asks did not know (contract 7). */
const NOT_IDENTIFIED =
  'Ask the customer to check what they gave. After a few tries let a person take over. Do not look the customer up, and do not say which detail was wrong.';

/** What to do after NOT_FOUND of a tool that identifies customers. */
const NEXT_BY_TOOL: Readonly<Record<string, string>> = {
  customer_appointments: NOT_IDENTIFIED,
  customer_change: NOT_IDENTIFIED,
};

interface Slot {
  readonly startTime: number;
  readonly endTime: number;
}

/** Returns a refusal of a tool with its next step; free starts are also shown in the given time zone. */
export function refusalOf(fault: Fault, tool: string, timezone: string): Refusal {
  const { code, message } = fault;
  const details: { readonly reason?: string; readonly alternatives?: readonly Slot[] } | undefined =
    fault.details;
  const alternatives = details?.alternatives?.map((slot) => ({
    ...slot,
    startTimeLocal: localText(new Date(slot.startTime), timezone),
  }));
  const wait = Number(fault.headers['retry-after']);
  return {
    code,
    message,
    next: nextOf({ code, reason: details?.reason, tool, alternatives, wait }),
    ...(details && { details: { ...details, ...(alternatives && { alternatives }) } }),
    ...(Number.isFinite(wait) && { retryAfter: wait }),
  };
}

interface Refused {
  readonly code: FaultCode;
  readonly reason: string | undefined;
  readonly tool: string;
  readonly alternatives: readonly object[] | undefined;
  readonly wait: number;
}

function nextOf({ code, reason, tool, alternatives, wait }: Refused): string {
  if (code === 'RATE_LIMITED') {
    return `Wait ${wait} seconds, then call again with the same arguments.`;
  }
  if (alternatives) {
    return alternatives.length > 0
      ? 'Offer the times in details.alternatives, or call find_times for another day.'
      : 'Call find_times for another day.';
  }
  const byTool = code === 'NOT_FOUND' ? NEXT_BY_TOOL[tool] : undefined;
  return (
    NEXT_BY_REASON[reason ?? ''] ??
    byTool ??
    NEXT[code] ??
    'Read the message, and tell the user about it.'
  );
}
