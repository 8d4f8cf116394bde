import { Link } from 'wouter';
import { EmptyState } from '../ui/states.tsx';
import { useCampaignMessages } from './campaign-messages.ts';

/** Says what is missing for a campaign, and where it is added. */
export function NotReady() {
  const { compose, forms } = useCampaignMessages();
  return (
    <EmptyState
      icon="campaigns"
      title={compose.notReady}
      action={<Link href="/settings?tab=manifest">{forms.openManifest}</Link>}
    >
      {compose.notReadyText}
    </EmptyState>
  );
}
