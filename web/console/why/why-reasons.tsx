import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useWhy, type WhyQuery } from './why-queries.ts';
import styles from './why.module.css';

/** Why something did not happen: the rule, the record and the moment. */
export function WhyReasons({ query }: { readonly query: WhyQuery }) {
  const { why } = useMessages();
  const format = useFormat();
  const { data, error, refetch } = useWhy(query);
  return (
    <>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows count={2} />}
      <ul role="list" className={styles.reasons}>
        {data?.reasons.map(({ rule, sentence, record, at }) => (
          <li key={`${rule} ${sentence}`}>
            {/* The server explains in English, in every language of the console. */}
            <p lang="en">{sentence}</p>
            <p className={styles.facts}>
              <span>
                {why.rule}: <code>{rule}</code>
              </span>
              {record && (
                <span>
                  {why.record}: {record.type} <code>{record.id}</code>
                </span>
              )}
              {at !== null && (
                <span>
                  {why.moment}: <time dateTime={at}>{format.dayAndTime(at)}</time>
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
