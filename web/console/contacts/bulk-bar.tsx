import { useState } from 'react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { downloadFile } from '../api/download.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { showToast } from '../ui/toast.tsx';
import { AssignDialog, ExportDialog, TagDialog } from './bulk-dialogs.tsx';
import { useBulkChange, type BulkChange, type ContactSelection } from './bulk-queries.ts';
import { withPhone, type ContactFilter } from './contact-filter.ts';
import { useSearchedPhone } from './searched-phone.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import styles from './bulk-bar.module.css';

interface BulkBarProps {
  readonly selected: ReadonlySet<string>;
  /** Whether everything that the filter finds is selected, instead of `selected`. */
  readonly isAll: boolean;
  readonly filter: ContactFilter;
  /** How many contacts the filter finds, and how many are on the page. */
  readonly total: number;
  readonly loaded: number;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

const CHANGES = ['tag', 'untag', 'assign'] as const;
type Action = (typeof CHANGES)[number] | 'export' | 'merge';

/** What can be done with the selected contacts. */
export function BulkBar(props: BulkBarProps) {
  const { selected, isAll, filter, total, loaded, onSelectAll, onClear } = props;
  const { bulk } = useMessages();
  const { role, subAccountId } = usePlace().membership;
  const [action, setAction] = useState<Action>();
  const change = useChangeAndReport(onClear);
  const count = isAll ? total : selected.size;
  const phone = useSearchedPhone(filter.search ?? '');
  const selection: ContactSelection = isAll
    ? { filter: withPhone(filter, phone) }
    : { contactIds: [...selected] };
  const [first, second] = selected;
  const isPair = !isAll && selected.size === 2;
  const { attempt, dialog: recentSignIn } = useAttempts();
  const download = () => downloadFile(subAccountId, '/exports/contacts', 'contacts.csv', selection);
  const close = () => setAction(undefined);
  const dialog = { filter, selection, onClose: close, onChange: change.start };
  return (
    <>
      <Toolbar aria-label={bulk.selection} className={cx(styles.bar)}>
        <BulkState change={change} count={count} />
        {!isAll && selected.size === loaded && total > loaded && (
          <Button look="ghost" isSmall onPress={onSelectAll}>
            {bulk.selectMatching(total)}
          </Button>
        )}
        {CHANGES.map((one) => (
          <Button key={one} isSmall isDisabled={change.isPending} onPress={() => setAction(one)}>
            {bulk[one]}
          </Button>
        ))}
        {(role === 'owner' || role === 'admin') && (
          <Button isSmall onPress={() => setAction('export')}>
            {bulk.export}
          </Button>
        )}
        {isPair && (
          <Button isSmall onPress={() => setAction('merge')}>
            {bulk.merge}
          </Button>
        )}
        <IconButton icon="close" label={bulk.clear} isSmall onPress={onClear} />
      </Toolbar>
      {(action === 'tag' || action === 'untag') && (
        <TagDialog {...dialog} isRemoving={action === 'untag'} />
      )}
      {action === 'assign' && <AssignDialog {...dialog} />}
      {action === 'export' && <ExportDialog {...dialog} onExport={() => attempt(download)} />}
      {action === 'merge' && first !== undefined && second !== undefined && (
        <MergeDialog keptId={first} otherId={second} onClose={close} onMerged={onClear} />
      )}
      {recentSignIn}
    </>
  );
}

/** How many contacts are selected, or how far their change is, which can be stopped. */
function BulkState({ change: { progress, stop, stopNow }, count }: BulkStateProps) {
  const { bulk } = useMessages();
  return (
    <>
      <span role="status" className={styles.count}>
        {progress ? bulk.progress(progress.processed, progress.total) : bulk.selected(count)}
      </span>
      {progress && (
        <Button isSmall isDisabled={stop.isPending} onPress={() => stopNow(progress.id)}>
          {bulk.stop}
        </Button>
      )}
    </>
  );
}

interface BulkStateProps {
  readonly change: ReturnType<typeof useChangeAndReport>;
  readonly count: number;
}

/** Starts a change, and shows what became of it. */
function useChangeAndReport(onDone: () => void) {
  const { bulk } = useMessages();
  const showError = useShowError();
  const { mutate, isPending, progress, stop } = useBulkChange();
  const start = (selection: ContactSelection, change: BulkChange) =>
    mutate(
      { ...selection, change },
      {
        onSuccess({ status, error, changed, refused, total }) {
          if (status === 'failed') {
            showToast({ text: bulk.failed, detail: error ?? undefined, isError: true });
            return;
          }
          if (status === 'stopped') {
            const left = total - changed;
            showToast({ text: bulk.stopped, detail: bulk.left(changed, left) });
            return;
          }
          const same = total - changed - refused;
          const details = [same > 0 && bulk.same(same), refused > 0 && bulk.refused(refused)];
          const detail = details.filter(Boolean).join('. ');
          showToast({ text: bulk.done(changed), detail: detail === '' ? undefined : detail });
          onDone();
        },
        onError: showError,
      },
    );
  const stopNow = (id: string) => stop.mutate(id, { onError: showError });
  return { start, isPending, progress, stop, stopNow };
}
