import { Link } from 'wouter';
import { useShowError } from '../ui/use-show-error.ts';
import { useFormat } from '../i18n/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { useRecurring, useSwitchRecurring, type Recurring } from './compose-queries.ts';

/** Recurring campaigns: when they run, and what became of the last run. */
export function RecurringTable() {
  const { compose } = useCampaignMessages();
  const { data, error, refetch } = useRecurring();
  const columns = useColumns();
  return (
    <>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows />}
      {data && (
        <Table
          label={compose.recurring}
          columns={columns}
          rows={data}
          empty={
            <EmptyState icon="campaigns" title={compose.noRecurring}>
              {compose.noRecurringText}
            </EmptyState>
          }
        />
      )}
    </>
  );
}

function useColumns(): readonly TableColumn<Recurring>[] {
  const { campaigns, compose } = useCampaignMessages();
  const format = useFormat();
  return [
    {
      id: 'name',
      title: campaigns.name,
      cell: ({ name, active }) => (
        <>
          {name} {!active && <Badge>{compose.paused}</Badge>}
        </>
      ),
    },
    {
      id: 'repeat',
      title: compose.repeats,
      cell: ({ repeat, timezone }) => (
        <>
          <code>{repeat}</code> {timezone}
        </>
      ),
      isSecondary: true,
    },
    {
      id: 'next',
      title: compose.nextRun,
      cell: ({ nextRunAt }) => (nextRunAt === null ? '–' : format.dayAndTime(nextRunAt)),
    },
    {
      id: 'last',
      title: compose.lastRun,
      cell: ({ lastRunAt, lastError, lastCampaign }) => (
        <>
          {lastRunAt !== null && lastCampaign !== null && (
            <Link href={`/campaigns/${lastCampaign.id}`}>{format.dayAndTime(lastRunAt)}</Link>
          )}{' '}
          {lastError !== null && <span lang="en">{lastError}</span>}
        </>
      ),
      isSecondary: true,
    },
    {
      id: 'actions',
      title: compose.actions,
      cell: (row) => <SwitchButton recurring={row} />,
      width: '8rem',
    },
  ];
}

function SwitchButton({ recurring: { key, name, active } }: { readonly recurring: Recurring }) {
  const { campaigns, compose } = useCampaignMessages();
  const showError = useShowError();
  const change = useSwitchRecurring();
  const label = active ? campaigns.pause : campaigns.resume;
  const press = () =>
    change.mutate(
      { key, active: !active },
      { onSuccess: () => showToast({ text: campaigns.changed }), onError: showError },
    );
  return (
    <Button
      isSmall
      aria-label={compose.actionOf(label, name)}
      isPending={change.isPending}
      onPress={press}
    >
      {label}
    </Button>
  );
}
