import { useState } from 'react';
import { ContactField } from '../contacts/contact-field.tsx';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { Badge } from '../ui/badge.tsx';
import { actionTitle } from './action-title.ts';
import { OutcomeBadge, OutcomeDetail } from './run-steps.tsx';
import { StepValue } from './step-value.tsx';
import { useDryRun } from './workflow-queries.ts';
import styles from './workflows.module.css';

interface DryRunDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

/** Shows the steps that a run would take for a chosen contact. */
export function DryRunDialog({ slug, onClose }: DryRunDialogProps) {
  const { workflows } = useMessages();
  const format = useFormat();
  const [contactId, setContactId] = useState<string | null>(null);
  const { data, error, isLoading, refetch } = useDryRun(slug, contactId);
  return (
    <Dialog title={workflows.tryOut} isOpen isWide onClose={onClose}>
      <p>{workflows.tryOutText}</p>
      <ContactField label={workflows.contact} value={contactId} onChange={setContactId} />
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isLoading && <SkeletonRows count={3} />}
      {data && (
        <ol role="list" aria-label={workflows.steps} className={styles.dryRun}>
          {data.steps.map(({ place, step, at, until, branch, outcome, detail, ...taken }) => (
            <li key={place} className={styles.action}>
              <strong>{actionTitle(workflows, step)}</strong>{' '}
              {branch && <Badge>{workflows.outcomes[branch]}</Badge>}{' '}
              {outcome && <OutcomeBadge outcome={outcome} />}{' '}
              {detail !== null && <OutcomeDetail text={detail} />}{' '}
              {until === null ? (
                <StepValue action={step} value={taken.arguments}>
                  <time dateTime={at}>{format.dayAndTime(at)}</time>
                </StepValue>
              ) : (
                <time dateTime={until}>{workflows.until(format.dayAndTime(until))}</time>
              )}
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}
