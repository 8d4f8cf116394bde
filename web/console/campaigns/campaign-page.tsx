import { useState } from 'react';
import { useLocation } from 'wouter';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { useErrorText } from '../ui/states.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { showToast } from '../ui/toast.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import {
  useCampaign,
  useChangeCampaign,
  useDeleteDraft,
  type Campaign,
  type CampaignChange,
} from './campaign-queries.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import { Progress } from './progress.tsx';
import { RecipientTable } from './recipient-table.tsx';
import { StartPanel } from './start-panel.tsx';

/** One campaign: its progress, its mail, and what can be done with it. */
export function CampaignPage({ campaignId }: { readonly campaignId: string }) {
  const { campaigns, common, compose } = useCampaignMessages();
  const [, navigate] = useLocation();
  const [isPreviewing, setPreviewing] = useState(false);
  const { data: campaign, error, refetch } = useCampaign(campaignId);
  if (campaign === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  const { status } = campaign;
  const isStarted = status !== 'draft' && status !== 'scheduled';
  return (
    <Page
      title={campaign.name}
      hint={<Badge>{campaigns.statuses[campaign.status]}</Badge>}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate('/campaigns')} />}
      actions={
        <>
          {status === 'draft' && (
            <Button onPress={() => navigate(`/campaigns/${campaignId}/edit`)}>
              {compose.edit}
            </Button>
          )}
          <Button onPress={() => setPreviewing(true)}>{campaigns.preview}</Button>
          <Button onPress={() => navigate(`/campaigns/new?from=${campaignId}`)}>
            {compose.duplicate}
          </Button>
          <Actions campaign={campaign} />
        </>
      }
    >
      {isStarted ? <Progress campaign={campaign} /> : <StartPanel campaign={campaign} />}
      {isStarted && <RecipientTable campaign={campaign} />}
      {isPreviewing && <PreviewDialog campaign={campaign} onClose={() => setPreviewing(false)} />}
    </Page>
  );
}

/** The changes that the status allows. */
function Actions({ campaign: { id, status } }: { readonly campaign: Campaign }) {
  const { campaigns, compose } = useCampaignMessages();
  const describe = useErrorText();
  const change = useChangeCampaign(id);
  const [isCancelling, setCancelling] = useState(false);
  const apply = (verb: CampaignChange) =>
    change.mutate(verb, {
      onSuccess: () => showToast({ text: compose.changes[verb] }),
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
      {status === 'scheduled' && (
        <Button onPress={() => apply('unschedule')}>{compose.unschedule}</Button>
      )}
      {status === 'draft' && <DeleteButton id={id} />}
      {!isOver && status !== 'draft' && (
        <Button onPress={() => setCancelling(true)}>{campaigns.cancel}</Button>
      )}
      {isCancelling && (
        <ConfirmDialog
          title={campaigns.cancel}
          text={campaigns.cancelText}
          confirm={campaigns.cancel}
          keep={compose.keep}
          isDangerous
          onClose={() => setCancelling(false)}
          onConfirm={() => apply('cancel')}
        />
      )}
    </>
  );
}

/** Asks, then deletes a draft. */
function DeleteButton({ id }: { readonly id: string }) {
  const { common, compose } = useCampaignMessages();
  const [, navigate] = useLocation();
  const showError = useShowError();
  const remove = useDeleteDraft(id);
  const [isAsking, setAsking] = useState(false);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess() {
        showToast({ text: common.deleted });
        navigate('/campaigns', { replace: true });
      },
      onError: showError,
    });
  return (
    <>
      <Button isPending={remove.isPending} onPress={() => setAsking(true)}>
        {compose.deleteDraft}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={compose.deleteDraft}
          text={common.deleteText}
          confirm={common.delete}
          isDangerous
          onClose={() => setAsking(false)}
          onConfirm={confirm}
        />
      )}
    </>
  );
}
