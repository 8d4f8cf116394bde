import { useLocation, useSearchParams } from 'wouter';
import { useIsAdmin } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { IconButton } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { LoadState, NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { useApproval, useApprovals, type ApprovalList } from './approval-queries.ts';
import styles from './approvals.module.css';

/** The calls of agents that wait for a decision, and those that were decided. */
export function ApprovalsPage() {
  const { approvals } = useMessages();
  const [params, setParams] = useSearchParams();
  if (!useIsAdmin()) {
    return (
      <Page title={approvals.title}>
        <EmptyState icon="approvals" title={approvals.notAllowed}>
          {approvals.notAllowedText}
        </EmptyState>
      </Page>
    );
  }
  const items = [
    { id: 'pending', label: approvals.pending, content: <Cards list="pending" /> },
    { id: 'decided', label: approvals.decided, content: <Cards list="decided" /> },
  ];
  return (
    <Page title={approvals.title}>
      <Tabs
        label={approvals.title}
        items={items}
        selected={params.get('tab') === 'decided' ? 'decided' : 'pending'}
        onSelect={(tab) => setParams({ tab }, { replace: true })}
      />
    </Page>
  );
}

function Cards({ list }: { readonly list: ApprovalList }) {
  const { approvals } = useMessages();
  const query = useApprovals(list);
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const titles = { pending: approvals.nothingPending, decided: approvals.nothingDecided };
  return (
    <>
      {query.data === undefined && (
        <NotLoaded error={query.error} onRetry={() => void query.refetch()} />
      )}
      <ul role="list" aria-label={approvals[list]} className={styles.cards}>
        {rows.map((approval) => (
          <li key={approval.id}>
            <ApprovalCard approval={approval} />
          </li>
        ))}
      </ul>
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon="approvals" title={titles[list]}>
          {approvals.about}
        </EmptyState>
      )}
      <LoadMore query={query} />
    </>
  );
}

/** One approval, where the mailed link leads. */
export function ApprovalPage({ approvalId }: { readonly approvalId: string }) {
  const { approvals, common } = useMessages();
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const query = useApproval(approvalId, params.get('token'));
  const { data } = query;
  return (
    <Page
      title={approvals.one}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate('/approvals')} />}
    >
      <LoadState query={query} />
      {data && (
        <div className={styles.cards}>
          <ApprovalCard approval={data} />
        </div>
      )}
    </Page>
  );
}
