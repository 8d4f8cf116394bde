import { FrontdeskError } from './error.ts';
import { retryAfterMs } from './retry-after.ts';

interface Context {
  readonly tries: number;
  readonly now: () => number;
}

interface Envelope {
  readonly data?: unknown;
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** Returns the envelope of a success, or the error of a refusal. */
export function readAnswer(
  { ok, status, headers }: Response,
  text: string,
  { tries, now }: Context,
): object | FrontdeskError {
  const envelope = parsed(text);
  if (ok && envelope?.data !== undefined) {
    return envelope;
  }
  const { code, message, details } = envelope?.error ?? {};
  const isOurs = !ok && typeof code === 'string';
  return new FrontdeskError({
    code: isOurs ? code : 'UNREADABLE_ANSWER',
    message: isOurs ? String(message) : `something else than Frontdesk answered ${status}`,
    status,
    details,
    requestId: headers.get('x-request-id') ?? undefined,
    tries,
    retryAfterMs: retryAfterMs(headers, status, now()),
  });
}

function parsed(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
