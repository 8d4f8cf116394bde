import { useState } from 'react';
import { Link } from 'wouter';
import { useIsAdmin } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/select.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { WhyReasons } from '../why/why-reasons.tsx';
import { useWorkflows } from '../workflows/workflow-queries.ts';
import { useEvent, type ListedEvent, type StartedRun } from './event-queries.ts';
import { useHookMessages } from './hook-messages.ts';
import styles from './webhooks.module.css';

interface EventDialogProps {
  readonly event: ListedEvent;
  readonly onClose: () => void;
  readonly onShowDeliveries: () => void;
}

/** An event with its body, its deliveries and the runs that it started. */
export function EventDialog({ event, onClose, onShowDeliveries }: EventDialogProps) {
  const { hooks } = useHookMessages();
  const format = useFormat();
  const isAdmin = useIsAdmin();
  const query = useEvent(event.id);
  const { data } = query;
  const actions = (
    <>
      <Button onPress={onShowDeliveries}>{hooks.showDeliveries}</Button>
      <Button look="primary" onPress={onClose}>
        {hooks.close}
      </Button>
    </>
  );
  return (
    <Dialog title={event.event} isOpen isWide onClose={onClose} actions={actions}>
      <p className={styles.facts}>
        <time dateTime={event.timestamp}>{format.exact(event.timestamp)}</time>
        <span className={styles.id}>{event.id}</span>
      </p>
      <LoadState query={query} />
      {data && (
        <>
          <pre className={styles.body} tabIndex={0} role="region" aria-label={hooks.body}>
            {JSON.stringify(data.data, null, 2)}
          </pre>
          {isAdmin && <WorkflowsOfEvent eventId={event.id} runs={data.runs} />}
        </>
      )}
    </Dialog>
  );
}

interface WorkflowsOfEventProps {
  readonly eventId: string;
  readonly runs: readonly StartedRun[];
}

/** Names the runs that the event started, and says of a chosen workflow why it did not start. */
function WorkflowsOfEvent({ eventId, runs }: WorkflowsOfEventProps) {
  const { hooks, workflows } = useHookMessages();
  const { data = [] } = useWorkflows();
  const [slug, setSlug] = useState<string | null>(null);
  const others = data.filter((one) => !runs.some(({ workflow }) => workflow === one.slug));
  return (
    <div className={styles.workflows}>
      {runs.length > 0 && (
        <p className={styles.started}>
          {hooks.startedRuns}:
          {runs.map(({ id, workflow, workflowName }) => (
            <Link key={id} href={`/workflows/${workflow}/runs/${id}`}>
              {workflowName}
            </Link>
          ))}
        </p>
      )}
      {others.length > 0 && (
        <Select
          label={runs.length > 0 ? hooks.whyNoOther : workflows.startedBy}
          placeholder={workflows.choose}
          value={slug}
          options={others.map((one) => ({ id: one.slug, label: one.name }))}
          onChange={setSlug}
        />
      )}
      {slug !== null && <WhyReasons query={{ kind: 'trigger', workflow: slug, eventId }} />}
    </div>
  );
}
