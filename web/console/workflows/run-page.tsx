import { Link, useLocation } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import type { Messages } from '../i18n/message-types.ts';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState, useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { WhyButton } from '../why/why-button.tsx';
import { RunSteps } from './run-steps.tsx';
import { useCancelRun, useRun, type Run } from './workflow-queries.ts';
import { eventWithName } from './event-text.ts';
import styles from './workflows.module.css';

/** A run and the steps that it took. */
export function RunPage({ runId }: { readonly runId: string }) {
  const { workflows, common } = useMessages();
  const [, navigate] = useLocation();
  const format = useFormat();
  const describe = useErrorText();
  const cancel = useCancelRun(runId);
  const { data: run, error, refetch } = useRun(runId);
  if (run === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  const stop = () =>
    cancel.mutate(undefined, {
      onSuccess: () => showToast({ text: workflows.cancelled }),
      onError(failure) {
        const { title, detail } = describe(failure);
        showToast({ text: title, detail, isError: true });
      },
    });
  const back = () => navigate(`/workflows/${encodeURIComponent(run.workflow)}`);
  const isOpen = run.status === 'running' || run.status === 'waiting';
  return (
    <Page
      title={`${workflows.run}: ${run.workflow}`}
      hint={<Badge>{workflows.statuses[run.status]}</Badge>}
      before={<IconButton icon="back" label={common.back} onPress={back} />}
      actions={
        <>
          <WhyButton query={{ kind: 'step', id: runId }} />
          {isOpen && <Button onPress={stop}>{workflows.cancelRun}</Button>}
        </>
      }
    >
      <ContactOfRun run={run} />
      {run.error !== null && <p className={styles.step}>{errorText(workflows, run.error)}</p>}
      {run.status === 'waiting' && (
        <p className={styles.step}>
          {[
            run.waitingFor !== null && `${workflows.waitsFor}: ${eventWithName(run.waitingFor)}`,
            run.dueAt !== null && workflows.until(format.dayAndTime(run.dueAt)),
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      )}
      <RunSteps log={run.log} />
      {run.log.length === 0 && <EmptyState icon="workflows" title={workflows.noSteps} />}
    </Page>
  );
}

/** Returns the error of a run in words: the server stores it in English. */
function errorText({ cancelledBy }: Messages['workflows'], error: string): string {
  const [, name] = /^cancelled by (.+)$/.exec(error) ?? [];
  return name === undefined ? error : cancelledBy(name);
}

/** The contact that a run is about, if it has one. */
function ContactOfRun({ run: { contactId, contactName } }: { readonly run: Run }) {
  const { workflows, common } = useMessages();
  return (
    contactId !== null && (
      <p className={styles.step}>
        {workflows.contact}:{' '}
        <Link href={`/contacts/${contactId}`}>{contactName || common.unnamed}</Link>
      </p>
    )
  );
}
