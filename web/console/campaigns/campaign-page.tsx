import { useState } from 'react';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import { useLocation } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { MailFrame } from '../inbox/mail-frame.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState, useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useCampaign, useChangeCampaign, usePreview, type Campaign } from './campaign-queries.ts';
import { RecipientTable } from './recipient-table.tsx';
import styles from './campaigns.module.css';

/** One campaign: its progress, its mail, and what can be done with it. */
export function CampaignPage({ campaignId }: { readonly campaignId: string }) {
  const { campaigns, common } = useMessages();
  const [, navigate] = useLocation();
  const [isPreviewing, setPreviewing] = useState(false);
  const { data: campaign, error, refetch } = useCampaign(campaignId);
  if (campaign === undefined) {
    return error === null ? (
      <SkeletonRows />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <Page
      title={campaign.name}
      hint={<Badge>{campaigns.statuses[campaign.status]}</Badge>}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate('/campaigns')} />}
      actions={
        <>
          <Button onPress={() => setPreviewing(true)}>{campaigns.preview}</Button>
          <Actions campaign={campaign} />
        </>
      }
    >
      <Progress campaign={campaign} />
      <RecipientTable campaign={campaign} />
      {isPreviewing && <PreviewDialog id={campaignId} onClose={() => setPreviewing(false)} />}
    </Page>
  );
}

/** How many of the recipients are done with. */
function Progress({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns } = useMessages();
  const format = useFormat();
  const { recipients, subject, heldBecause } = campaign;
  const total = Object.values(recipients).reduce((sum, count) => sum + count, 0);
  const done = total - recipients.pending;
  return (
    <div className={styles.progress}>
      <p>{subject}</p>
      {heldBecause !== null && <p>{heldBecause}</p>}
      <ProgressBar
        aria-label={campaigns.progress}
        value={done}
        maxValue={Math.max(total, 1)}
        valueLabel={`${format.number(done)} / ${format.number(total)}`}
      >
        {({ percentage = 0, valueText }) => (
          <>
            <span>{valueText}</span>
            <div className={cx(styles.track)}>
              <div className={cx(styles.bar)} style={{ width: `${percentage}%` }} />
            </div>
          </>
        )}
      </ProgressBar>
    </div>
  );
}

/** The changes that the status allows. */
function Actions({ campaign: { id, status } }: { readonly campaign: Campaign }) {
  const { campaigns } = useMessages();
  const describe = useErrorText();
  const change = useChangeCampaign(id);
  const [isCancelling, setCancelling] = useState(false);
  const apply = (verb: 'pause' | 'resume' | 'cancel') =>
    change.mutate(verb, {
      onSuccess: () => showToast({ text: campaigns.changed }),
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
    });
  const isOver = status === 'sent' || status === 'cancelled';
  return (
    <>
      {status === 'sending' && <Button onPress={() => apply('pause')}>{campaigns.pause}</Button>}
      {(status === 'paused' || status === 'held') && (
        <Button onPress={() => apply('resume')}>{campaigns.resume}</Button>
      )}
      {!isOver && <Button onPress={() => setCancelling(true)}>{campaigns.cancel}</Button>}
      {isCancelling && (
        <ConfirmDialog
          title={campaigns.cancel}
          text={campaigns.cancelText}
          confirm={campaigns.cancel}
          isDangerous
          onClose={() => setCancelling(false)}
          onConfirm={() => apply('cancel')}
        />
      )}
    </>
  );
}

interface PreviewDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function PreviewDialog({ id, onClose }: PreviewDialogProps) {
  const { campaigns } = useMessages();
  const { data, error, refetch } = usePreview(id);
  return (
    <Dialog title={data?.subject ?? campaigns.preview} isOpen isWide onClose={onClose}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <MailFrame html={data.html} />}
    </Dialog>
  );
}
