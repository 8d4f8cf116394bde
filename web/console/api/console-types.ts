import type { Conversation, Message } from '../../../sdk/src/generated/conversations.ts';

/** A sub-account that the signed-in user may work in. */
export interface Membership {
  readonly subAccountId: string;
  readonly subAccountName: string;
  readonly sandbox: boolean;
  /** Of the sub-account; the calendar shows its times. */
  readonly timezone: string;
  readonly role: 'owner' | 'admin' | 'agent' | 'viewer' | 'integrator';
  /** The user's id as a member of the team. Conversations and tasks are assigned to members. */
  readonly memberId: string | null;
}

export interface Session {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string | null;
    /** The path of their picture. */
    readonly pictureUrl: string | null;
  };
  readonly isOwner: boolean;
  /** Whether the sign-in is less than 10 minutes old. */
  readonly isRecent: boolean;
  readonly memberships: readonly Membership[];
}

/** A conversation as the inbox lists it. */
export type InboxConversation = Conversation & {
  readonly lastMessage?:
    | (Pick<Message, 'bodyText' | 'direction' | 'authorId' | 'createdAt'> & {
        readonly isAutomatic: boolean;
      })
    | null;
  readonly snoozedUntil?: string | number | null;
};
