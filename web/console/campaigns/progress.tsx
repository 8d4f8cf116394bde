import { ProgressBar } from 'react-aria-components/ProgressBar';
import { useMemo } from 'react';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { Plot } from '../ui/plot-figure.tsx';
import { ZonedTime } from './zoned-time.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { useProgress, type Campaign } from './campaign-queries.ts';
import { sizeOf, useLeftOut } from './compose-queries.ts';
import { progressPoints } from './progress-points.ts';
import styles from './campaigns.module.css';

const OUTCOMES = ['sent', 'pending', 'skipped', 'failed', 'unknown'] as const;

/** How many mails were sent, and what became of the others. */
export function Progress({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns, compose } = useCampaignMessages();
  const format = useFormat();
  const { recipients, unsubscribed, startedAt } = campaign;
  const total = Object.values(recipients).reduce((sum, count) => sum + count, 0);
  const { sent, pending, skipped, unknown } = recipients;
  const rest = total - sent - pending;
  const { sandbox } = usePlace().membership;
  const { data: missed, isLoading } = useLeftOut(campaign);
  const counts = { ...recipients, skipped: skipped + (missed ? sizeOf(missed.leftOut) : 0) };
  const describe = sandbox ? compose.capturedOf : compose.sentOf;
  const summary = describe(format.number(sent), format.number(total));
  const nameOf = (outcome: (typeof OUTCOMES)[number]) =>
    sandbox && outcome === 'sent' ? compose.captured : campaigns.outcomes[outcome];
  return (
    <div className={styles.progress}>
      <About campaign={campaign} />
      <ProgressBar
        aria-label={campaigns.progress}
        value={sent}
        maxValue={Math.max(total, 1)}
        valueLabel={rest === 0 ? summary : `${summary}, ${compose.notSent(rest)}`}
      >
        {({ percentage = 0, valueText }) => (
          <>
            <span>{valueText}</span>
            <div className={styles.track}>
              <div className={styles.bar} style={{ width: `${percentage}%` }} />
            </div>
          </>
        )}
      </ProgressBar>
      {startedAt !== null && (
        <>
          <dl className={styles.outcomes}>
            {OUTCOMES.filter((one) => one !== 'unknown' || unknown > 0).map((outcome) => (
              <div key={outcome}>
                <dt>{nameOf(outcome)}</dt>
                <dd>{outcome === 'skipped' && isLoading ? '…' : format.number(counts[outcome])}</dd>
              </div>
            ))}
            <div>
              <dt>{compose.unsubscribed}</dt>
              <dd>{format.number(unsubscribed)}</dd>
            </div>
          </dl>
          {unknown > 0 && <p className={styles.note}>{compose.unknownHint}</p>}
          <OverTime campaign={campaign} startedAt={startedAt} summary={summary} />
          <p className={styles.note}>{compose.opens}</p>
        </>
      )}
    </div>
  );
}

/** The subject, when it started, and what went wrong. */
function About({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns, compose } = useCampaignMessages();
  const { sandbox } = usePlace().membership;
  const { subject, problem, startedAt } = campaign;
  return (
    <>
      {sandbox && (
        <p className={styles.note}>
          {compose.sandboxHint} {compose.capturedWhere}
        </p>
      )}
      <p>{subject}</p>
      {startedAt !== null && (
        <p className={styles.note}>
          {compose.startedAt} <ZonedTime at={startedAt} />
        </p>
      )}
      {problem !== null && (
        <p role="status">
          {campaigns.reason}: <span lang="en">{problem}</span>
        </p>
      )}
    </>
  );
}

const NONE: NonNullable<ReturnType<typeof useProgress>['data']> = [];

interface OverTimeProps {
  readonly campaign: Campaign;
  readonly startedAt: string;
  readonly summary: string;
}

function OverTime({ campaign, startedAt, summary }: OverTimeProps) {
  const { compose } = useCampaignMessages();
  const { timezone } = usePlace().membership;
  const { data = NONE, dataUpdatedAt } = useProgress(campaign);
  const begin = Date.parse(startedAt);
  const isOver = campaign.status === 'sent' || campaign.status === 'cancelled';
  const points = useMemo(
    () => progressPoints({ startedAt: begin, counts: data, isOver, now: dataUpdatedAt }),
    [begin, data, isOver, dataUpdatedAt],
  );
  return (
    data.length > 0 && (
      <Plot
        title={compose.overTime}
        points={points}
        period={Math.max((points.at(-1)?.at ?? begin) - begin, 1_000)}
        isSteady
        timeZone={timezone}
        summary={summary}
      />
    )
  );
}
