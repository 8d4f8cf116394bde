import { useId } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast.tsx';
import { Arguments } from './arguments.tsx';
import { useDecide, type Approval } from './approval-queries.ts';
import styles from './approvals.module.css';

const RISK_TONES = {
  read: 'neutral',
  reversible: 'neutral',
  tells: 'accent',
  destroys: 'bad',
  mass: 'bad',
} as const;

/** What would happen, who asks for it, and the decision. */
export function ApprovalCard({ approval }: { readonly approval: Approval }) {
  const { approvals } = useMessages();
  const format = useFormat();
  const titleId = useId();
  const { summary, risk, keyName, client, createdAt, operation } = approval;
  const asked = { key: keyName ?? approvals.deletedKey, client };
  return (
    <article className={styles.card} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {summary}
        </h2>
        <Badge tone={RISK_TONES[risk]}>{approvals.risks[risk]}</Badge>
      </header>
      <p className={styles.quiet}>
        {approvals.asks(asked)}{' '}
        <time dateTime={createdAt} title={format.dayAndTime(createdAt)}>
          {format.relative(createdAt)}
        </time>
      </p>
      <Effects effects={approval.effects} />
      <div>
        <h3 className={styles.label}>{approvals.details}</h3>
        <Arguments given={{ [approvals.action]: operation }} isCode />
        <Arguments given={approval.arguments} />
      </div>
      {approval.status === 'pending' ? (
        <Decide approval={approval} />
      ) : (
        <Decided approval={approval} />
      )}
    </article>
  );
}

/** What a dry run found, in numbers. */
function Effects({ effects }: { readonly effects: Approval['effects'] }) {
  const { approvals } = useMessages();
  const format = useFormat();
  const known: Partial<Record<string, (count: number) => string>> = approvals.effects;
  const entries = Object.entries(effects);
  if (entries.length === 0) {
    return null;
  }
  return (
    <div>
      <h3 className={styles.label}>{approvals.wouldHappen}</h3>
      <ul role="list" className={styles.effects}>
        {entries.map(([name, count]) => (
          <li key={name}>
            {known[name]?.(count) ?? (
              <>
                <code>{name}</code> × {format.number(count)}
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Decide({ approval: { id, expiresAt } }: { readonly approval: Approval }) {
  const { approvals } = useMessages();
  const format = useFormat();
  const decide = useDecide();
  const { attempt, dialog } = useAttempts();
  const apply = (verb: 'approve' | 'deny') =>
    attempt(async () => {
      await decide.mutateAsync({ id, verb });
      showToast({ text: verb === 'approve' ? approvals.approvedNow : approvals.deniedNow });
    });
  return (
    <footer className={styles.foot}>
      <Button look="primary" isPending={decide.isPending} onPress={() => apply('approve')}>
        {approvals.approve}
      </Button>
      <Button isPending={decide.isPending} onPress={() => apply('deny')}>
        {approvals.deny}
      </Button>
      <span className={styles.quiet}>
        {approvals.expires}{' '}
        <time dateTime={expiresAt} title={format.dayAndTime(expiresAt)}>
          {format.relative(expiresAt)}
        </time>
      </span>
      {dialog}
    </footer>
  );
}

/** The decision with its author, and how the call ended. */
function Decided({ approval }: { readonly approval: Approval }) {
  const { approvals } = useMessages();
  const format = useFormat();
  const { status, decidedBy, decidedAt, expiresAt, outcome, refusal } = approval;
  const at = decidedAt ?? expiresAt;
  const tones = { approved: 'good', denied: 'bad', expired: 'neutral', pending: 'warn' } as const;
  return (
    <footer className={styles.foot}>
      <Badge tone={tones[status]}>{approvals.statuses[status]}</Badge>
      <span className={styles.quiet}>
        {decidedBy === null ? '' : `${decidedBy}, `}
        <time dateTime={at}>{format.dayAndTime(at)}</time>
      </span>
      {status === 'approved' && (
        <span className={styles.outcome}>
          {outcome === null && approvals.runs}
          {outcome === 'done' && approvals.done}
          {outcome === 'refused' && `${approvals.refused}: ${refusal ?? ''}`}
        </span>
      )}
    </footer>
  );
}
