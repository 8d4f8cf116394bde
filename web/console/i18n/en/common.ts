import type { RefusalMessages } from '../refusals.ts';

export const enCommon = {
  common: {
    pending: 'Working…',
    back: 'Back',
    newRecord: 'New',
    cancel: 'Cancel',
    clear: 'Clear',
    close: 'Close dialog',
    done: 'Done',
    delete: 'Delete',
    deleteTitle: (name: string): string => `Delete ${name}?`,
    deleteText: 'This cannot be undone.',
    deleted: 'Deleted',
    discard: 'Discard',
    discardTitle: 'Discard your changes?',
    discardText: 'What you typed in this form is lost.',
    keepEditing: 'Keep editing',

    dismiss: 'Dismiss',

    loadMore: 'Load more',

    notices: 'Notices',
    retry: 'Try again',
    save: 'Save',
    saved: 'Saved',
    undo: 'Undo',
    unnamed: 'No name',
  },
  errors: {
    failed: 'That did not work',
    forbidden: 'Your role does not allow this',
    forbiddenText: 'Ask an admin of this sub-account to do it, or to change your role.',
    notFound: 'This record does not exist, or was deleted',
    recentSignIn: 'Sign in again to do this',
    recentSignInText: 'It needs a sign-in within the last 10 minutes. Sign out, and sign in again.',
    unexpected: 'Something went wrong',
    unreachable: 'The server cannot be reached',
    tryAgain: 'Check your connection and try again.',
    request: (id: string): string => `Request ${id}`,
    /** The server's own words are English. */
    refusals: null as RefusalMessages | null,
  },
  channels: {
    sms: 'SMS',
    email: 'Email',
    gmail: 'Gmail',
    messenger: 'Messenger',
    instagram: 'Instagram',
    live_chat: 'Live chat',
    social_dm: 'Other social networks',
  },
};
