import { Link } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import type { Campaign } from './campaign-queries.ts';
import {
  sizeOf,
  useAudience,
  useLeftOut,
  type Audience,
  type LeftOut,
  type LeftOutReason,
} from './compose-queries.ts';
import styles from './compose.module.css';

/** How many contacts of a list get a mail, and who is left out and why. */
export function AudienceSummary({ listId }: { readonly listId: string | null }) {
  const { data, error, isLoading, refetch } = useAudience(listId);
  return (
    <div className={styles.audience}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isLoading && <SkeletonRows count={1} />}
      {data && <Counts audience={data} />}
    </div>
  );
}

function Counts({ audience: { contacts, mails, ...rest } }: { readonly audience: Audience }) {
  const { compose } = useCampaignMessages();
  const format = useFormat();
  return (
    <>
      <p role="status">
        <strong>{compose.gets(mails)}</strong>
        {contacts > mails && ` ${compose.isLeftOut(contacts - mails, format.number(contacts))}`}
      </p>
      <LeftOutContacts {...rest} title={compose.leftOut} />
    </>
  );
}

/** The contacts that were left out when a campaign started; nothing if there are none. */
export function LeftOutAtStart({ campaign }: { readonly campaign: Campaign }) {
  const { compose } = useCampaignMessages();
  const { data } = useLeftOut(campaign);
  const count = data ? sizeOf(data.leftOut) : 0;
  return (
    data && (
      <div className={styles.atStart}>
        <LeftOutContacts {...data} title={compose.leftOutAtStart(count)} />
      </div>
    )
  );
}

function LeftOutContacts({ leftOut, examples, title }: LeftOut & { readonly title: string }) {
  const { compose } = useCampaignMessages();
  const nameOf = useReasonNames();
  const reasons = (Object.keys(leftOut) as LeftOutReason[]).filter((one) => leftOut[one] > 0);
  return (
    reasons.length > 0 && (
      <Disclosure title={title}>
        <ul role="list" className={styles.leftOut}>
          {reasons.map((reason) => (
            <li key={reason}>
              {compose.reasons[reason]}: {leftOut[reason]}
            </li>
          ))}
        </ul>
        <ul aria-label={compose.leftOut} className={styles.leftOut}>
          {examples.map(({ contactId, name, email, reason, detail }) => (
            <li key={contactId}>
              <Link href={`/contacts/${contactId}`}>{name || email}</Link>{' '}
              <span>{nameOf(reason, detail)}</span>
            </li>
          ))}
        </ul>
        {sizeOf(leftOut) > examples.length && <p>{compose.firstOnly(examples.length)}</p>}
      </Disclosure>
    )
  );
}

/** Returns the function that names why a contact is left out, such as "Suppressed: by the team". */
export function useReasonNames(): (reason: LeftOutReason, detail: string | null) => string {
  const { compose, consent, contacts } = useCampaignMessages();
  const details: Readonly<Record<string, string>> = consent.reasons;
  return (reason, detail) =>
    reason === 'opted_out' && detail !== null
      ? contacts.optedOut(details[detail] ?? detail)
      : compose.reasons[reason];
}
