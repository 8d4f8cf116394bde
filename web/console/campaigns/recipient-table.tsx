import { useState } from 'react';
import { Link } from 'wouter';
import { usePlace } from '../api/session.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/field.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, TIME_WIDTH, type TableColumn } from '../ui/table.tsx';
import { WhyButton } from '../why/why-button.tsx';
import { LeftOutAtStart } from './audience-summary.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { RECIPIENT_STATUSES, type Campaign, type RecipientStatus } from './campaign-queries.ts';
import { useLists } from './compose-queries.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import { useRecipientRows, type RecipientRow } from './recipient-rows.ts';
import { useDebounced } from './use-debounced.ts';
import { ZonedTime } from './zoned-time.tsx';
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

/** The recipients of a campaign, what became of each mail, and who was left out. */
export function RecipientTable({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns, compose } = useCampaignMessages();
  const [status, setStatus] = useState<RecipientStatus>();
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState<RecipientRow>();
  const search = useDebounced(typed.trim(), QUIET_MS);
  const { query, rows, firstOnly } = useRecipientRows(campaign, { status, search });
  const nameOf = useOutcomeNames();
  const columns = useColumns(campaign.id, setShown);
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
      {status === undefined && search === '' && <LeftOutAtStart campaign={campaign} />}
      {query.isLoadingError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {rows === undefined && !query.isLoadingError && <SkeletonRows />}
      {rows && (
        <Table
          label={campaigns.recipients}
          columns={columns}
          rows={rows}
          empty={<NoRecipients campaign={campaign} search={status === undefined ? search : ''} />}
        />
      )}
      {firstOnly !== undefined && <p className={styles.more}>{compose.firstOnly(firstOnly)}</p>}
      <LoadMore query={query} />
      {shown && (
        <PreviewDialog
          campaign={campaign}
          contactId={shown.contactId}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

interface NoRecipientsProps {
  readonly campaign: Campaign;
  /** What was searched for among all of them; empty without a search. */
  readonly search: string;
}

/** Says that no one was found: who is no recipient and was not left out was not on the list. */
function NoRecipients({ campaign: { listId }, search }: NoRecipientsProps) {
  const { campaigns, compose } = useCampaignMessages();
  const list = useLists().data?.find(({ id }) => id === listId);
  return (
    <EmptyState
      icon="contacts"
      title={search === '' ? campaigns.noRecipients : compose.noneFound(search)}
    >
      {search !== '' && compose.notOnList(list?.name)}
    </EmptyState>
  );
}

/** Returns the names of statuses: a sandbox sends nothing. */
function useOutcomeNames(): (status: RecipientStatus) => string {
  const { campaigns, compose } = useCampaignMessages();
  const { sandbox } = usePlace().membership;
  return (status) => (sandbox && status === 'sent' ? compose.captured : campaigns.outcomes[status]);
}

function useColumns(
  campaignId: string,
  onShow: (row: RecipientRow) => void,
): readonly TableColumn<RecipientRow>[] {
  const { campaigns, common, compose } = useCampaignMessages();
  const nameOf = useOutcomeNames();
  return [
    {
      id: 'name',
      title: campaigns.name,
      cell: (row) => (
        <>
          <Link href={`/contacts/${row.contactId}`}>{row.name || row.email || common.unnamed}</Link>
          {isExplained(row) && (
            <div className={styles.reasonOnPhone}>
              <Reason campaignId={campaignId} row={row} />
            </div>
          )}
        </>
      ),
      width: '15%',
    },
    {
      id: 'address',
      title: campaigns.address,
      cell: ({ email }) => (email === null ? '–' : <span title={email}>{email}</span>),
      isSecondary: true,
    },
    {
      id: 'outcome',
      title: campaigns.status,
      cell: ({ status }) => (
        <Badge {...(TONES[status] && { tone: TONES[status] })}>{nameOf(status)}</Badge>
      ),
      width: '7.5rem',
    },
    {
      id: 'reason',
      title: campaigns.reason,
      cell: (row) => isExplained(row) && <Reason campaignId={campaignId} row={row} />,
      isSecondary: true,
      width: '20%',
    },
    {
      id: 'mail',
      title: compose.mail,
      cell: (row) => row.status === 'sent' && <ShowMail row={row} onShow={onShow} />,
      isSecondary: true,
      width: '8rem',
    },
    {
      id: 'at',
      title: campaigns.settled,
      cell: ({ settledAt }) => settledAt !== null && <ZonedTime at={settledAt} isBrief />,
      isSecondary: true,
      width: TIME_WIDTH,
    },
  ];
}

const hasWhy = ({ isRecipient, status }: RecipientRow): boolean =>
  isRecipient && UNSENT.has(status);

const isExplained = (row: RecipientRow): boolean => row.reason !== null || hasWhy(row);

interface ReasonProps {
  readonly campaignId: string;
  readonly row: RecipientRow;
}

const Reason = ({ campaignId, row }: ReasonProps) => (
  <div className={styles.reason}>
    {row.reason !== null && <span>{row.reason}</span>}
    {hasWhy(row) && (
      <WhyButton query={{ kind: 'recipient', campaignId, contactId: row.contactId }} />
    )}
  </div>
);

interface ShowMailProps {
  readonly row: RecipientRow;
  readonly onShow: (row: RecipientRow) => void;
}

function ShowMail({ row, onShow }: ShowMailProps) {
  const { compose } = useCampaignMessages();
  return (
    <Button
      isSmall
      aria-label={compose.actionOf(compose.showMail, row.name || (row.email ?? ''))}
      onPress={() => onShow(row)}
    >
      {compose.showMail}
    </Button>
  );
}
