import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useContentPreview, type CampaignInput } from './compose-queries.ts';
import type { PreviewChoice } from './campaign-queries.ts';
import { MailPreview } from './mail-preview.tsx';
import { PreviewAs } from './preview-as.tsx';
import { useDebounced } from './use-debounced.ts';
import styles from './compose.module.css';

const TYPING_MS = 300;

type PreviewInput = Omit<CampaignInput, 'name'>;

/** The mail of content that is being written. */
export function LivePreview({ input }: { readonly input: PreviewInput }) {
  const { campaigns } = useMessages();
  const [choice, setChoice] = useState<PreviewChoice>({});
  const { data, error, refetch } = useContentPreview(useSettled(input), choice);
  return (
    <section aria-label={campaigns.preview} className={styles.preview}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && !error && (
        <>
          <PreviewAs
            listId={input.listId}
            contact={data.contact}
            choice={choice}
            onChange={setChoice}
          />
          <MailPreview mail={data} />
        </>
      )}
      {data === undefined && !error && <SkeletonRows />}
    </section>
  );
}

/** Returns the input once typing pauses. The text is compared: the object is new each time. */
const useSettled = (input: PreviewInput): PreviewInput =>
  JSON.parse(useDebounced(JSON.stringify(input), TYPING_MS)) as PreviewInput;
