// Written by `node sdk/generate.ts` from the declarations in src/.

/** What `error.code` of an answer may be. */
export type ApiErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNAUTHORIZED'
  | 'KEY_EXPIRED'
  | 'KEY_REVOKED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'ALREADY_DECIDED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'EXPECTATION_FAILED'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'layout_not_found'
  | 'layout_invalid'
  | 'list_required'
  | 'invalid_status'
  | 'channel_unsupported'
  | 'empty_audience'
  | 'feature_unavailable';
