import { ProgressBar } from 'react-aria-components/ProgressBar';
import { useFormat } from '../i18n/format.ts';
import { Plot } from '../ui/plot-figure.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { useProgress, type Campaign } from './campaign-queries.ts';
import styles from './campaigns.module.css';

const OUTCOMES = ['sent', 'pending', 'skipped', 'failed', 'unknown'] as const;

/** How many of the recipients are done with, by outcome and over time. */
export function Progress({ campaign }: { readonly campaign: Campaign }) {
  const { campaigns, compose } = useCampaignMessages();
  const format = useFormat();
  const { recipients, subject, problem, startedAt } = campaign;
  const total = Object.values(recipients).reduce((sum, count) => sum + count, 0);
  const done = total - recipients.pending;
  return (
    <div className={styles.progress}>
      <p>{subject}</p>
      {problem !== null && (
        <p role="status">
          {campaigns.reason}: <span lang="en">{problem}</span>
        </p>
      )}
      <ProgressBar
        aria-label={campaigns.progress}
        value={done}
        maxValue={Math.max(total, 1)}
        valueLabel={`${format.number(done)} / ${format.number(total)}`}
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
            {OUTCOMES.map((outcome) => (
              <div key={outcome}>
                <dt>{campaigns.outcomes[outcome]}</dt>
                <dd>{format.number(recipients[outcome])}</dd>
              </div>
            ))}
          </dl>
          <OverTime campaign={campaign} startedAt={startedAt} total={total} />
          <p className={styles.note}>{compose.opens}</p>
        </>
      )}
    </div>
  );
}

interface OverTimeProps {
  readonly campaign: Campaign;
  readonly startedAt: string;
  readonly total: number;
}

function OverTime({ campaign, startedAt, total }: OverTimeProps) {
  const { compose } = useCampaignMessages();
  const format = useFormat();
  const { data = [] } = useProgress(campaign);
  const begin = { at: Date.parse(startedAt), value: 0 };
  const points = [begin, ...data.map(({ at, settled }) => ({ at, value: settled }))];
  const last = points.at(-1) ?? begin;
  return (
    data.length > 0 && (
      <Plot
        title={compose.overTime}
        points={points}
        period={Math.max(last.at - begin.at, 1_000)}
        isSteady
        summary={`${format.number(last.value)} / ${format.number(total)}`}
      />
    )
  );
}
