import type { TObject } from 'typebox';
import { exampleOf } from '#core/schema/example.ts';
import { FAULTS, type FaultCode } from '#core/fault.ts';

/** A body with what it must hold, where something must, and one with all that it may hold. */
export function bodyExamples(body: TObject): object {
  const whole = exampleOf(body) as Record<string, unknown>;
  const required = new Set(body.required as string[] | undefined);
  const least = Object.fromEntries(Object.entries(whole).filter(([name]) => required.has(name)));
  const isWhole = required.size === Object.keys(whole).length;
  return {
    ...(required.size > 0 && { least: { summary: 'what is required', value: least } }),
    ...(!isWhole && { whole: { summary: 'every member', value: whole } }),
  };
}

const INVALID = {
  message: 'invalid body: email must be an email address',
  details: { issues: [{ in: 'body', path: '/email', message: 'must be an email address' }] },
};

/** What a caller reads beside each code; the words may be others, the code is not. */
const MESSAGES: Readonly<Record<FaultCode, string>> = {
  VALIDATION_ERROR: INVALID.message,
  UNAUTHORIZED: 'send an API key: Authorization: Bearer <API_KEY>',
  KEY_EXPIRED: 'this API key has expired',
  KEY_REVOKED: 'this API key was revoked',
  FORBIDDEN: 'this key lacks the scope contacts:write',
  NOT_FOUND: 'contact not found',
  METHOD_NOT_ALLOWED: 'PUT is not for this path',
  REQUEST_TIMEOUT: 'the request took too long to arrive',
  IDEMPOTENCY_IN_PROGRESS: 'the first request with this key still runs',
  PAYLOAD_TOO_LARGE: 'the body is larger than 1 MiB',
  IDEMPOTENCY_MISMATCH: 'this key was used with another body',
  UNSUPPORTED_MEDIA_TYPE: 'the body must be application/json',
  EXPECTATION_FAILED: 'the only expectation supported is 100-continue',
  HEADERS_TOO_LARGE: 'the headers are too large',
  RATE_LIMITED: 'too many requests; try again in 12 s',
  INTERNAL_ERROR: 'something went wrong here; request 0192f7c4-5b1e-7c3a-9d42-5a1f0c3e7b11',
  SERVICE_UNAVAILABLE: 'the database cannot be reached',
  layout_not_found: 'there is no such layout',
  layout_invalid: 'the layout lacks a place for the content',
  list_required: 'name the list or the contacts that it goes to',
  invalid_status: 'the campaign is not a draft',
  channel_unsupported: 'campaigns go by email',
  empty_audience: 'nobody would get it',
  feature_unavailable: 'campaigns are switched off in this sub-account',
};

/** A refusal by every code, for references to. */
export const FAULT_EXAMPLES = Object.fromEntries(
  (Object.keys(FAULTS) as FaultCode[]).map((code) => [
    code,
    {
      value: {
        error: {
          code,
          message: MESSAGES[code],
          ...(code === 'VALIDATION_ERROR' && { details: INVALID.details }),
        },
      },
    },
  ]),
);

export const faultExamples = (codes: readonly FaultCode[]): object =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
