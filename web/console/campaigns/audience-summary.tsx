import { Link } from 'wouter';
import { Disclosure } from '../ui/disclosure.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { useAudience, type Audience, type LeftOutReason } from './compose-queries.ts';
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

function Counts({ audience: { contacts, mails, leftOut, examples } }: { audience: Audience }) {
  const { compose } = useCampaignMessages();
  const reasons = (Object.keys(leftOut) as LeftOutReason[]).filter((one) => leftOut[one] > 0);
  return (
    <>
      <p role="status">
        <strong>{compose.gets(mails)}</strong>
        {contacts > mails && ` ${compose.isLeftOut(contacts - mails)}`}
      </p>
      {reasons.length > 0 && (
        <Disclosure title={compose.leftOut}>
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
                <span>
                  {compose.reasons[reason]}
                  {/* The server keeps these words in English. */}
                  {detail !== null && <span lang="en"> ({detail})</span>}
                </span>
              </li>
            ))}
          </ul>
          {contacts - mails > examples.length && <p>{compose.firstOnly(examples.length)}</p>}
        </Disclosure>
      )}
    </>
  );
}
