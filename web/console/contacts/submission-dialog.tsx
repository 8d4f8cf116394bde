import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { contentUrl } from '../inbox/attachments.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useSubmission } from './timeline-queries.ts';
import styles from './timeline.module.css';

interface SubmissionDialogProps {
  readonly contactId: string;
  readonly submissionId: string;
  readonly onClose: () => void;
}

/** What a contact submitted in a form, with its files. */
export function SubmissionDialog({ contactId, submissionId, onClose }: SubmissionDialogProps) {
  const { approvals, contacts } = useMessages();
  const format = useFormat();
  const { subAccountId } = usePlace().membership;
  const { data: submission, error, refetch } = useSubmission(contactId, submissionId);
  return (
    <Dialog isOpen title={submission?.form ?? contacts.answers} onClose={onClose}>
      {submission === undefined &&
        (error === null ? (
          <SkeletonRows />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ))}
      {submission && (
        <>
          <p className={styles.sent}>
            {format.dayAndTime(submission.createdAt)}
            {submission.pageUrl !== null && ` · ${submission.pageUrl}`}
          </p>
          <dl className={styles.answers}>
            {submission.answers.map(({ name, label, value, file }) => (
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
        </>
      )}
    </Dialog>
  );
}

/** Returns a value as people read it. */
function wordsOf(
  value: string | number | boolean | null,
  { yes, no }: { readonly yes: string; readonly no: string },
): string {
  if (typeof value === 'boolean') {
    return value ? yes : no;
  }
  return value === null ? '' : String(value);
}
