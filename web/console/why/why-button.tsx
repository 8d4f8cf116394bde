import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import styles from './why.module.css';

/** What the endpoint `why` is asked about. */
export type WhyQuery =
  | { readonly kind: 'message' | 'delivery' | 'step' | 'reminder'; readonly id: string }
  | { readonly kind: 'recipient'; readonly campaignId: string; readonly contactId: string }
  | { readonly kind: 'slot'; readonly type: string; readonly start: string };

interface WhyAnswer {
  readonly happened: boolean;
  readonly reasons: readonly {
    readonly rule: string;
    readonly sentence: string;
    readonly record: { readonly type: string; readonly id: string } | null;
    readonly at: string | null;
  }[];
}

function useWhy(query: WhyQuery) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'why', query],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<WhyAnswer>('GET', '/api/v1/why', {
        query,
        options: { signal },
      }),
    staleTime: 0,
  });
}

/** A button that explains why something did not happen: the rule, the record and the moment. */
export function WhyButton({ query }: { readonly query: WhyQuery }) {
  const { why } = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall look="ghost" onPress={() => setOpen(true)}>
        {why.ask}
      </Button>
      {isOpen && <WhyDialog query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

interface WhyDialogProps {
  readonly query: WhyQuery;
  readonly onClose: () => void;
}

function WhyDialog({ query, onClose }: WhyDialogProps) {
  const { why } = useMessages();
  const format = useFormat();
  const { data, error, refetch } = useWhy(query);
  return (
    <Dialog title={why.ask} isOpen onClose={onClose}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows count={2} />}
      <ul role="list" className={styles.reasons}>
        {data?.reasons.map(({ rule, sentence, record, at }) => (
          <li key={`${rule} ${sentence}`}>
            {/* The server explains in English, in every language of the console. */}
            <p lang="en">{sentence}</p>
            <p className={styles.facts}>
              <Badge>{rule}</Badge>
              {record && (
                <span>
                  {why.record}: {record.type} <code>{record.id}</code>
                </span>
              )}
              {at !== null && (
                <span>
                  {why.moment}: <time dateTime={at}>{format.dayAndTime(at)}</time>
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
