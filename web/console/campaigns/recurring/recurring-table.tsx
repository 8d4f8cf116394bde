import { useState } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../../i18n/messages.tsx';
import { useSection } from '../../settings/forms/section-queries.ts';
import type { Entry } from '../../settings/forms/entry.ts';
import { useRemoval } from '../../settings/forms/use-removal.tsx';
import { useShowError } from '../../ui/use-show-error.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { LoadState } from '../../ui/not-loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Table, TIME_WIDTH, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useCampaignMessages } from '../campaign-messages.ts';
import { ZonedTime } from '../zoned-time.tsx';
import { RecurringDialog } from './recurring-dialog.tsx';
import { useRecurring, useSwitchRecurring, type Recurring } from './recurring-queries.ts';
import { useScheduleWords } from './schedule-words.ts';
import styles from './recurring.module.css';

/** The opened form, with the entries of the manifest as they were then. */
interface Opened {
  readonly entries: readonly Entry[];
  readonly entry: Entry | undefined;
}

/** Recurring campaigns: when they run, and what became of the last run. */
export function RecurringTable() {
  const { compose, recurring } = useCampaignMessages();
  const query = useRecurring();
  const { data } = query;
  const { readAgain } = useSection('campaigns');
  const [opened, setOpened] = useState<Opened>();
  const removal = useRemoval('campaigns');
  const showError = useShowError();
  /** Opens a recurring campaign by its key, or the form of a new one. */
  const open = (key?: string) => {
    readAgain()
      .then((entries) => setOpened({ entries, entry: entries.find((one) => one['key'] === key) }))
      .catch(showError);
  };
  const columns = useColumns({
    onEdit: open,
    onRemove: (one) => removal.ask({ ...one, text: recurring.removeText }),
  });
  const add = (
    <Button icon="plus" onPress={() => open()}>
      {recurring.add}
    </Button>
  );
  return (
    <>
      {data !== undefined && data.length > 0 && <div className={styles.bar}>{add}</div>}
      <LoadState query={query} />
      {data && (
        <Table
          label={compose.recurring}
          columns={columns}
          rows={data}
          empty={
            <EmptyState icon="campaigns" title={compose.noRecurring} action={add}>
              {compose.noRecurringText}
            </EmptyState>
          }
        />
      )}
      {opened && (
        <RecurringDialog {...opened} readAgain={readAgain} onClose={() => setOpened(undefined)} />
      )}
      {removal.dialog}
    </>
  );
}

interface RowActions {
  readonly onEdit: (key: string) => void;
  readonly onRemove: (recurring: Pick<Recurring, 'key' | 'name'>) => void;
}

function useColumns(actions: RowActions): readonly TableColumn<Recurring>[] {
  const { campaigns, compose, recurring } = useCampaignMessages();
  const wordsOf = useScheduleWords();
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
      cell: ({ repeat, timezone }) => {
        const words = recurring.inZone(wordsOf(repeat), timezone);
        return <span className={styles.wrapped}>{words}</span>;
      },
      isSecondary: true,
    },
    {
      id: 'next',
      title: compose.nextRun,
      cell: ({ nextRunAt, timezone }) =>
        nextRunAt === null ? '–' : <ZonedTime at={nextRunAt} zone={timezone} />,
      isSecondary: true,
      width: TIME_WIDTH,
    },
    {
      id: 'last',
      title: compose.lastRun,
      cell: ({ lastRunAt, lastError, lastCampaign, timezone }) => (
        <>
          {lastRunAt !== null && lastCampaign !== null && (
            <Link href={`/campaigns/${lastCampaign.id}`}>
              <ZonedTime at={lastRunAt} zone={timezone} />
            </Link>
          )}{' '}
          {lastError !== null && <span lang="en">{lastError}</span>}
        </>
      ),
      isSecondary: true,
      width: TIME_WIDTH,
    },
    {
      id: 'actions',
      title: compose.actions,
      cell: (row) => <Actions recurring={row} {...actions} />,
      width: '11rem',
    },
  ];
}

function Actions({ recurring, onEdit, onRemove }: { readonly recurring: Recurring } & RowActions) {
  const { forms } = useMessages();
  const { key, name } = recurring;
  return (
    <span className={styles.actions}>
      <SwitchButton recurring={recurring} />
      <IconButton icon="edit" label={forms.edit(name)} isSmall onPress={() => onEdit(key)} />
      <IconButton
        icon="trash"
        label={forms.removeTitle(name)}
        isSmall
        onPress={() => onRemove({ key, name })}
      />
    </span>
  );
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
