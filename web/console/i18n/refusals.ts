/** The values of `details.reason` that a user of the console can meet. */
type RefusalReason =
  | 'already_decided'
  | 'ambiguous_phone'
  | 'changed_meanwhile'
  | 'channel_not_configured'
  | 'conversation_open'
  | 'cursor_expired'
  | 'custom_values_too_large'
  | 'duplicate_email'
  | 'duplicate_name'
  | 'event_gone'
  | 'file_storage'
  | 'file_storage_full'
  | 'file_type'
  | 'files_not_supported'
  | 'invalid_transition'
  | 'manifest_busy'
  | 'not_failed'
  | 'outside_messaging_window'
  | 'request_expired'
  | 'sent_again'
  | 'settings_too_large'
  | 'subscription_of_agent'
  | 'too_slow'
  | 'too_many_addresses'
  | 'too_many_subscriptions'
  | 'too_many_tags'
  | 'too_many_views';

/** The codes whose refusals mean the same wherever they come from. */
type RefusalCode =
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'INTERNAL_ERROR'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'REQUEST_TIMEOUT'
  | 'SERVICE_UNAVAILABLE'
  | 'UNAUTHORIZED';

/** What the server's refusals say in another language than English, which the server speaks itself. */
export interface RefusalMessages {
  readonly reasons: Readonly<Record<RefusalReason, string>>;
  readonly codes: Readonly<Record<RefusalCode, string>>;
}

interface Refusal {
  readonly code: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns a refusal's sentence in the user's language, or undefined if only the server's words exist. */
export function refusalText(
  { code, details }: Refusal,
  texts: RefusalMessages | null,
): string | undefined {
  const reason = String(details?.['reason']);
  return texts === null ? undefined : (textOf(texts.reasons, reason) ?? textOf(texts.codes, code));
}

const textOf = (texts: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;
