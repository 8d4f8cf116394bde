import { ENDED_ITS_WORKERS } from '#platform/queue/give-up.ts';

/** The provider was removed after the message was accepted. */
export const NOT_CONFIGURED = {
  status: 'failed',
  errorCode: 'channel_not_configured',
  errorMessage: 'no provider is set up for the channel',
} as const;

export const GONE = {
  status: 'failed',
  errorCode: 'contact_deleted',
  errorMessage: 'the contact was deleted before the message was sent',
} as const;

/** The storage lost it, or an operator removed it. */
export const FILE_MISSING = {
  status: 'failed',
  errorCode: 'file_missing',
  errorMessage: 'a file of the message is not in the storage; upload it again',
} as const;

/** The contact opted out after the message was accepted. */
export const OPTED_OUT = {
  status: 'failed',
  errorCode: 'dnd',
  errorMessage: 'the contact opted out before the message was sent',
} as const;

export const BROKEN = {
  status: 'failed',
  errorCode: 'internal_error',
  errorMessage: 'an unexpected error; the log of the worker has its cause',
} as const;

/** The provider has an outcome that could not be stored. */
export const UNRECORDED = {
  status: 'failed',
  errorCode: 'outcome_unknown',
  errorMessage: 'the outcome could not be stored; the log of the worker has the cause',
} as const;

export const ENDED_WORKERS = {
  ...BROKEN,
  errorMessage: `${ENDED_ITS_WORKERS}; the message may have been sent`,
} as const;
