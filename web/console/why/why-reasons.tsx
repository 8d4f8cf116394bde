import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { useWhy, type WhyQuery } from './why-queries.ts';
import styles from './why.module.css';

/** A rule that is the code of a mail server or provider, such as `550`. */
const PEER_CODE = /^\d[\d.]*$/;

/** Why something did not happen: the rule, the record and the moment. */
export function WhyReasons({ query }: { readonly query: WhyQuery }) {
  const { why } = useMessages();
  const format = useFormat();
  const found = useWhy(query);
  const { data } = found;
  const recordNames: Readonly<Record<string, string>> = why.records;
  return (
    <>
      <LoadState query={found} count={2} />
      <ul role="list" className={styles.reasons}>
        {data?.reasons.map(({ rule, sentence, record, at }) => (
          <li key={`${rule} ${sentence}`}>
            <p>{sentence}</p>
            <p className={styles.facts}>
              <span>
                {PEER_CODE.test(rule) ? why.code : why.rule}: <code>{rule}</code>
              </span>
              {record && (
                <span>
                  {recordNames[record.type] ?? why.record}: <code>{record.id}</code>
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
