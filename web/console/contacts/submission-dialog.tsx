import { useMessages } from '../i18n/messages.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SubmissionDetails } from './submission-details.tsx';
import { useSubmission } from './timeline-queries.ts';
import { NotLoaded } from '../ui/not-loaded.tsx';

interface SubmissionDialogProps {
  readonly contactId: string;
  readonly submissionId: string;
  readonly onClose: () => void;
}

/** What a contact submitted in a form, with its files. */
export function SubmissionDialog({ contactId, submissionId, onClose }: SubmissionDialogProps) {
  const { contacts } = useMessages();
  const { data: submission, error, refetch } = useSubmission(contactId, submissionId);
  return (
    <Dialog isOpen title={submission?.form ?? contacts.answers} onClose={onClose}>
      {submission === undefined && <NotLoaded error={error} onRetry={() => void refetch()} />}
      {submission && <SubmissionDetails {...submission} />}
    </Dialog>
  );
}
