import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { Answers } from './answers.tsx';
import { useSubmission } from './timeline-queries.ts';
import styles from './timeline.module.css';

interface SubmissionDialogProps {
  readonly contactId: string;
  readonly submissionId: string;
  readonly onClose: () => void;
}

/** What a contact submitted in a form, with its files. */
export function SubmissionDialog({ contactId, submissionId, onClose }: SubmissionDialogProps) {
  const { contacts } = useMessages();
  const format = useFormat();
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
          <Answers answers={submission.answers} />
        </>
      )}
    </Dialog>
  );
}
