import { useCampaignMessages } from './campaign-messages.ts';
import { useReasonNames } from './audience-summary.tsx';
import {
  useRecipients,
  type Campaign,
  type RecipientFilter,
  type RecipientStatus,
} from './campaign-queries.ts';
import { sizeOf, useLeftOut } from './compose-queries.ts';

/** A recipient, or a contact that was left out when the campaign started. */
export interface RecipientRow {
  readonly id: string;
  readonly contactId: string;
  readonly name: string;
  readonly email: string | null;
  readonly status: RecipientStatus;
  readonly reason: string | null;
  readonly settledAt: string | null;
  /** A contact that was left out at the start is none. */
  readonly isRecipient: boolean;
}

/**
 * Returns the recipients that match, page by page; after the last page, the contacts that were left out
 * at the start, if the filter asks for them.
 */
export function useRecipientRows(campaign: Campaign, filter: RecipientFilter) {
  const { status, search } = filter;
  const query = useRecipients(campaign.id, filter);
  const isAsked = status === 'skipped' || (status === undefined && search !== '');
  const leftOut = useLeftOut(campaign, search);
  const nameOf = useReasonNames();
  const { compose } = useCampaignMessages();
  const isWhole = query.data !== undefined && !query.hasNextPage && isAsked;
  const recipients = query.data?.pages.flatMap(({ data }) =>
    data.map(({ errorMessage, unsubscribedAt, ...one }): RecipientRow => {
      const reason = unsubscribedAt === null ? errorMessage : compose.hasUnsubscribed;
      return { ...one, reason, isRecipient: true };
    }),
  );
  const missed = (isWhole ? (leftOut.data?.examples ?? []) : []).map(
    ({ contactId, name, email, reason, detail }): RecipientRow => ({
      id: contactId,
      contactId,
      name,
      email,
      status: 'skipped',
      reason: nameOf(reason, detail),
      settledAt: null,
      isRecipient: false,
    }),
  );
  const isComplete = !isWhole || leftOut.data !== undefined;
  const unnamed = leftOut.data ? sizeOf(leftOut.data.leftOut) - leftOut.data.examples.length : 0;
  return {
    query,
    /** Undefined until all that is asked for was read. */
    rows: recipients && isComplete ? [...recipients, ...missed] : undefined,
    /** Of how many only the first are rows; undefined if all of them are. */
    firstOnly: isWhole && unnamed > 0 ? missed.length : undefined,
  };
}
