import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { contentUrl } from '../inbox/attachments.ts';
import styles from './timeline.module.css';

/** What a visitor entered in a field of a form. Of `value` and `file`, one is null. */
export interface Answer {
  readonly name: string;
  readonly label: string;
  readonly value: string | number | boolean | null;
  readonly file: { readonly id: string; readonly name: string; readonly size: number } | null;
}

interface SubmissionDetailsProps {
  readonly createdAt: string;
  readonly pageUrl: string | null;
  readonly answers: readonly Answer[];
}

/** When and where a form was submitted, and the answers. */
export function SubmissionDetails({ createdAt, pageUrl, answers }: SubmissionDetailsProps) {
  const format = useFormat();
  return (
    <>
      <p className={styles.sent}>
        {format.dayAndTime(createdAt)}
        {pageUrl !== null && ` · ${pageUrl}`}
      </p>
      <Answers answers={answers} />
    </>
  );
}

function Answers({ answers }: { readonly answers: readonly Answer[] }) {
  const { approvals } = useMessages();
  const format = useFormat();
  const { subAccountId } = usePlace().membership;
  return (
    <dl className={styles.answers}>
      {answers.map(({ name, label, value, file }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd dir="auto">
            {file === null ? (
              wordsOf(value, approvals)
            ) : (
              <a
                href={contentUrl(subAccountId, `/api/v1/files/${file.id}`)}
                target="_blank"
                rel="noopener noreferrer"
              >
                {file.name} ({format.bytes(file.size)})
              </a>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns a value as people read it. */
export function wordsOf(
  value: Answer['value'],
  { yes, no }: { readonly yes: string; readonly no: string },
): string {
  if (typeof value === 'boolean') {
    return value ? yes : no;
  }
  return value === null ? '' : String(value);
}
