import { useState } from 'react';
import { Link } from 'wouter';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { SearchField } from '../ui/field.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, TIME_WIDTH, type TableColumn } from '../ui/table.tsx';
import { WhyButton } from '../why/why-button.tsx';
import { LeftOutAtStart } from './audience-summary.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import {
  RECIPIENT_STATUSES,
  useRecipients,
  type Campaign,
  type Recipient,
  type RecipientStatus,
} from './campaign-queries.ts';
import { useDebounced } from './use-debounced.ts';
import styles from './campaigns.module.css';

const ALL = 'all';
/** Fetch once typing pauses for this long. */
const QUIET_MS = 300;
const TONES: Readonly<Partial<Record<RecipientStatus, Tone>>> = {
  sent: 'good',
  failed: 'bad',
  unknown: 'warn',
};
/** What needs an explanation: the mail was not sent, or its outcome is not known. */
const UNSENT = new Set<RecipientStatus>(['skipped', 'failed', 'unknown']);

/** The addresses of a campaign, and what became of each mail. */
export function RecipientTable({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns, compose } = useCampaignMessages();
  const [status, setStatus] = useState<RecipientStatus>();
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), QUIET_MS);
  const query = useRecipients(campaign.id, { status, search });
  const nameOf = useOutcomeNames();
  const columns = useColumns(campaign.id);
  const rows = query.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <div className={styles.recipients}>
        <h2>{campaigns.recipients}</h2>
        <SearchField label={compose.search} value={typed} onChange={setTyped} />
        <Select
          label={campaigns.status}
          isLabelHidden
          value={status ?? ALL}
          options={[
            { id: ALL, label: campaigns.allRecipients },
            ...RECIPIENT_STATUSES.map((id) => ({ id, label: nameOf(id) })),
          ]}
          onChange={(to) => setStatus(RECIPIENT_STATUSES.find((one) => one === to))}
        />
      </div>
      {(status === undefined || status === 'skipped') && <LeftOutAtStart campaign={campaign} />}
      {query.isLoadingError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <SkeletonRows />}
      {rows && (
        <Table
          label={campaigns.recipients}
          columns={columns}
          rows={rows}
          empty={<EmptyState icon="contacts" title={campaigns.noRecipients} />}
        />
      )}
      <LoadMore query={query} />
    </>
  );
}

/** Returns the names of statuses: a sandbox sends nothing. */
function useOutcomeNames(): (status: RecipientStatus) => string {
  const { campaigns, compose } = useCampaignMessages();
  const { sandbox } = usePlace().membership;
  return (status) => (sandbox && status === 'sent' ? compose.captured : campaigns.outcomes[status]);
}

function useColumns(campaignId: string): readonly TableColumn<Recipient>[] {
  const { campaigns } = useMessages();
  const nameOf = useOutcomeNames();
  const format = useFormat();
  return [
    {
      id: 'address',
      title: campaigns.address,
      cell: ({ email, contactId }) => <Link href={`/contacts/${contactId}`}>{email}</Link>,
    },
    {
      id: 'outcome',
      title: campaigns.status,
      cell: ({ status }) => (
        <Badge {...(TONES[status] && { tone: TONES[status] })}>{nameOf(status)}</Badge>
      ),
      width: '8rem',
    },
    {
      id: 'reason',
      title: campaigns.reason,
      cell: ({ errorMessage, status, contactId }) => (
        <>
          {errorMessage !== null && <span>{errorMessage} </span>}
          {UNSENT.has(status) && <WhyButton query={{ kind: 'recipient', campaignId, contactId }} />}
        </>
      ),
      isSecondary: true,
    },
    {
      id: 'at',
      title: campaigns.settled,
      cell: ({ settledAt }) => settledAt !== null && format.dayAndTime(settledAt),
      isSecondary: true,
      width: TIME_WIDTH,
    },
  ];
}
