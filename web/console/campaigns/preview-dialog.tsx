import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { usePreview, type Campaign, type PreviewChoice } from './campaign-queries.ts';
import { MailPreview } from './mail-preview.tsx';
import { PreviewAs } from './preview-as.tsx';

interface PreviewDialogProps {
  readonly campaign: Campaign;
  /** The contact whose mail is shown; without it, one of the audience. */
  readonly contactId?: string;
  readonly onClose: () => void;
}

/** The mail of a campaign as a contact gets it. */
export function PreviewDialog({ campaign, contactId, onClose }: PreviewDialogProps) {
  const { campaigns } = useCampaignMessages();
  const [choice, setChoice] = useState<PreviewChoice>(contactId === undefined ? {} : { contactId });
  const query = usePreview(campaign.id, choice);
  const { data } = query;
  return (
    <Dialog title={campaigns.preview} isOpen isWide onClose={onClose}>
      <LoadState query={query} />
      {data && (
        <>
          <PreviewAs
            listId={campaign.listId}
            contact={data.contact}
            choice={choice}
            onChange={setChoice}
          />
          <MailPreview mail={data} />
        </>
      )}
    </Dialog>
  );
}
