import { useState } from 'react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { Link } from 'wouter';
import { LoadMore } from '../ui/load-more.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { cx } from '../ui/cx.ts';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import barStyles from '../contacts/bulk-bar.module.css';
import { useCancelRuns, useRuns, type RunRow, type Workflow } from './workflow-queries.ts';
import { eventText, triggerText } from './event-text.ts';
import styles from './workflows.module.css';

interface RunsProps {
  readonly slug: string;
  readonly workflow: Workflow | undefined;
}

/** The runs of a workflow; those that are chosen, or all that wait, can be cancelled. */
export function Runs({ slug, workflow }: RunsProps) {
  const { bulk, workflows } = useMessages();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<'selected' | 'waiting'>();
  const clear = () => setSelected(new Set());
  const cancel = useCancelAndReport(clear);
  const waiting = workflow?.waiting ?? 0;
  const count = asking === 'waiting' ? waiting : selected.size;
  const start = () =>
    cancel.start(asking === 'waiting' ? { workflow: slug } : { runIds: [...selected] });
  return (
    <>
      {waiting > 0 && (
        <div className={styles.bar}>
          <Button isPending={cancel.isPending} onPress={() => setAsking('waiting')}>
            {workflows.cancelWaiting(waiting)}
          </Button>
        </div>
      )}
      <RunTable slug={slug} selected={selected} onSelect={setSelected} />
      {selected.size > 0 && (
        <Toolbar aria-label={workflows.selection} className={cx(barStyles.bar)}>
          <span role="status" className={barStyles.count}>
            {workflows.selected(selected.size)}
          </span>
          <Button isSmall isPending={cancel.isPending} onPress={() => setAsking('selected')}>
            {workflows.cancelRuns(selected.size)}
          </Button>
          <IconButton icon="close" label={bulk.clear} isSmall onPress={clear} />
        </Toolbar>
      )}
      {asking && (
        <ConfirmDialog
          title={workflows.cancelTitle(count, workflow?.name ?? slug)}
          text={workflows.cancelText}
          confirm={workflows.cancelRuns(count)}
          keep={workflows.keepRunning}
          isDangerous
          onClose={() => setAsking(undefined)}
          onConfirm={start}
        />
      )}
    </>
  );
}

interface RunTableProps {
  readonly slug: string;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

function RunTable({ slug, selected, onSelect }: RunTableProps) {
  const { workflows } = useMessages();
  const format = useFormat();
  const query = useRuns(slug);
  const columns = useColumns();
  const rows = query.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      {rows === undefined && <NotLoaded error={query.error} onRetry={() => void query.refetch()} />}
      {rows && (
        <Table
          label={workflows.runs}
          columns={columns}
          rows={rows}
          hrefOf={({ id }) => `/workflows/${encodeURIComponent(slug)}/runs/${id}`}
          empty={<EmptyState icon="workflows" title={workflows.noRuns} />}
          selection={{
            ids: selected,
            onChange: onSelect,
            labelOf: ({ createdAt }) => workflows.selectRun(format.dayAndTime(createdAt)),
            allLabel: workflows.selectAllRuns,
          }}
        />
      )}
      <LoadMore query={query} />
    </>
  );
}

/** Cancels runs, and says how many were cancelled and how many had ended before. */
function useCancelAndReport(onDone: () => void) {
  const { workflows } = useMessages();
  const showError = useShowError();
  const { mutate, isPending } = useCancelRuns();
  return {
    isPending,
    start: (selection: Parameters<typeof mutate>[0]) =>
      mutate(selection, {
        onSuccess({ cancelled, ended }) {
          onDone();
          showToast({
            text: workflows.cancelledRuns(cancelled),
            ...(ended > 0 && { detail: workflows.hadEnded(ended) }),
          });
        },
        onError: showError,
      }),
  };
}

function useColumns(): readonly TableColumn<RunRow>[] {
  const { workflows, common } = useMessages();
  const format = useFormat();
  return [
    { id: 'at', title: workflows.started, cell: ({ createdAt }) => format.dayAndTime(createdAt) },
    {
      id: 'contact',
      title: workflows.contact,
      cell: ({ contactId, contactName }) =>
        contactId !== null && (
          <Link href={`/contacts/${contactId}`}>{contactName || common.unnamed}</Link>
        ),
    },
    {
      id: 'trigger',
      title: workflows.trigger,
      cell: ({ trigger }) => <span title={trigger}>{triggerText(trigger)}</span>,
      isSecondary: true,
    },
    {
      id: 'waiting',
      title: workflows.waitsFor,
      cell: ({ waitingFor, dueAt }) =>
        [
          waitingFor !== null && eventText(waitingFor),
          dueAt !== null && workflows.until(format.dayAndTime(dueAt)),
        ]
          .filter(Boolean)
          .join(', '),
      isSecondary: true,
    },
    {
      id: 'status',
      title: workflows.status,
      cell: ({ status }) => <Badge>{workflows.statuses[status]}</Badge>,
      width: '8rem',
    },
  ];
}
