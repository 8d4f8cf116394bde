import type { FaultCode } from '../../src/core/fault.ts';

/** What a code means, and what the caller does about it. */
export interface ErrorMeaning {
  readonly means: string;
  readonly remedy: string;
}

/** Every code of the API. A code without a meaning does not compile. */
export const ERROR_MEANINGS: Readonly<Record<FaultCode, ErrorMeaning>> = {
  VALIDATION_ERROR: {
    means: 'The path, a query parameter, a header or the body is invalid.',
    remedy:
      'Read `details.issues`: each entry names the part (`in`), the member (`path`, a JSON pointer) and what is wrong (`message`). Some rules also set `details.reason`, such as `duplicate_email`. If a rule refuses the request as a whole, there is one issue: its path is `""`, and it repeats the message. Correct the request; repeating it unchanged fails again.',
  },
  UNAUTHORIZED: {
    means: 'The request has no valid API key, or its signature does not match.',
    remedy:
      'Send `Authorization: Bearer <API_KEY>` with the whole key. Check that the key belongs to this server, and that no proxy removes the header. For a signed call, check the secret and sign the raw body.',
  },
  KEY_EXPIRED: {
    means: 'The API key was valid until its expiry date.',
    remedy: 'Create a new key with `frontdesk admin key create`, or rotate this one.',
  },
  KEY_REVOKED: {
    means: 'The API key was revoked, or replaced by a rotation.',
    remedy:
      'Use the new key. If you did not revoke it, ask your operator: the audit trail shows who did.',
  },
  FORBIDDEN: {
    means:
      'The key is valid but may not do this: it lacks a scope, or the endpoint needs an agency key.',
    remedy:
      'The message names the missing scope. Add it with `frontdesk admin key scopes`, which replaces all scopes of a key: list the old ones, too. It applies to the next request.',
  },
  NOT_FOUND: {
    means:
      'No such record or path. An id that is malformed, deleted or of another sub-account gives the same response.',
    remedy:
      'Check the id. With an agency key, check `X-Sub-Account-Id`, too. Records of other sub-accounts are never revealed. For a [verified customer](booking.md#verified-customers), ask for the details again: the email must have the case in which it is stored.',
  },
  METHOD_NOT_ALLOWED: {
    means: 'The path exists, but not with this HTTP method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  REQUEST_TIMEOUT: {
    means: 'The request took longer than 60 seconds to arrive.',
    remedy: 'Send the body at once. Repeat the request on a new connection.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    means: 'The first request with this `Idempotency-Key` is still running.',
    remedy: 'Wait a second and repeat the request: you then get the response of the first one.',
  },
  ALREADY_DECIDED: {
    means: 'The approval of an agent was decided before, or has expired.',
    remedy: 'Read it again: the first decision counts.',
  },
  CHANGED_MEANWHILE: {
    means:
      'Entries of the manifest were changed after the caller read them. `details.entries` names them. `details.by` says who applied a manifest last, and when.',
    remedy: 'Read the manifest again, make your change in it and apply it.',
  },
  PAYLOAD_TOO_LARGE: {
    means:
      'The body is larger than the endpoint accepts: 1 MiB for JSON. Or a form has more than 500 fields.',
    remedy: 'Send less at once, for example fewer records per request.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    means:
      'The body is not `application/json`, or it is compressed, or an uploaded file is of a type that is not accepted.',
    remedy:
      'Send `Content-Type: application/json` and no compression. For an upload, send one of the types that [files](conversations.md#files) lists.',
  },
  EXPECTATION_FAILED: {
    means: 'The `Expect` header asks for something other than `100-continue`.',
    remedy: 'Remove the header.',
  },
  IDEMPOTENCY_MISMATCH: {
    means: 'This `Idempotency-Key` was used with another body or query.',
    remedy:
      'Use a new key for every new request, and the same key only for a repeat of the same body.',
  },
  RATE_LIMITED: {
    means: 'The key, or the visitor’s address, used up its requests of this window.',
    remedy:
      'Wait as many seconds as `Retry-After` says. `X-RateLimit-Remaining` shows what is left before you reach the limit. See [limits](api.md#rate-limits).',
  },
  HEADERS_TOO_LARGE: {
    means: 'The request line and the headers together are larger than 16 KiB.',
    remedy: 'Send long values in the body, and fewer cookies.',
  },
  INTERNAL_ERROR: {
    means: 'A bug in Frontdesk. The request may or may not have taken effect.',
    remedy:
      'Give your operator the request id of the message (`X-Request-Id`): the log contains the reason. Repeat a POST only with an `Idempotency-Key`.',
  },
  SERVICE_UNAVAILABLE: {
    means:
      'The database is unavailable, the server is shutting down, or you send or receive too much at a time.',
    remedy: 'Wait as many seconds as `Retry-After` says and repeat the request.',
  },
  layout_not_found: {
    means: 'The sub-account has no template with the name in `layout`.',
    remedy:
      'Use the name of a template of the [manifest](manifest.md), or add the template and apply it.',
  },
  layout_invalid: {
    means: 'The template does not contain exactly one `{{content}}`.',
    remedy: 'Correct the template in the [manifest](manifest.md) and apply it.',
  },
  list_required: {
    means: 'The campaign has no list, or its list was deleted or is not active.',
    remedy: 'Name an active list, or give the template a `defaultList`.',
  },
  invalid_status: {
    means: 'The status of the campaign does not allow this: for example, it was sent already.',
    remedy:
      'Create a new campaign. A campaign is sent once; see [statuses](campaigns.md#campaign-statuses).',
  },
  channel_unsupported: {
    means: 'Campaigns are sent by email only.',
    remedy: 'Use an email list, or send single [messages](conversations.md).',
  },
  empty_audience: {
    means: 'No contact on the list may receive the campaign.',
    remedy:
      'Check the list: contacts without an email address and contacts who opted out do not count. See [recipients](campaigns.md#recipients).',
  },
  feature_unavailable: {
    means: 'Campaigns are disabled in this sub-account.',
    remedy: 'Enable them in the [manifest](manifest.md) of the sub-account and apply it.',
  },
};
