import { useSearchParams } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { ownerMessages } from '../settings/owner-messages.ts';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Select } from '../ui/select.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { Plot } from '../ui/plot-figure.tsx';
import { RANGES, SERIES, useHealth, type Health, type Range } from './health-queries.ts';
import styles from './health.module.css';

const TONES = { ok: 'good', warn: 'warn', fail: 'bad' } as const;
const DAY_MS = 86_400_000;
const PERIODS_MS: Readonly<Record<Range, number>> = { day: DAY_MS, week: 7 * DAY_MS };
/** What needs attention comes first. */
const RANK = { fail: 0, warn: 1, ok: 2 } as const;

/** The checks and the figures of the whole installation, for its owners. */
export function HealthPage() {
  const { health } = useMessages();
  const [params, setParams] = useSearchParams();
  const range = RANGES.find((one) => one === params.get('range')) ?? 'day';
  const query = useHealth(range);
  const { data } = query;
  const checks = data?.checks.toSorted((a, b) => RANK[a.status] - RANK[b.status]);
  const problems = checks?.filter(({ status }) => status !== 'ok');
  return (
    <Page title={health.title} hidesZone>
      <LoadState query={query} />
      {data && checks && (
        <div className={styles.page}>
          <p>
            Frontdesk {data.version} · <a href="/docs/upgrade">{health.upgradeNotes}</a>
          </p>
          <section aria-label={health.checks}>
            {problems?.length === 0 && <p>{ownerMessages().health.none}</p>}
            <CheckList checks={problems ?? []} />
          </section>
          <section aria-label={health.plots}>
            <div className={styles.range}>
              <Select
                label={health.range}
                value={range}
                options={RANGES.map((id) => ({ id, label: health.ranges[id] }))}
                onChange={(to) => setParams({ range: to }, { replace: true })}
              />
            </div>
            <div className={styles.plots}>
              {SERIES.map((name) => (
                <Plot
                  key={name}
                  title={health.series[name]}
                  points={data.series[name]}
                  period={PERIODS_MS[range]}
                />
              ))}
            </div>
            <WaitingDeliveries count={data.waitingDeliveries} />
          </section>
          <section aria-label={health.statuses.ok}>
            <CheckList checks={checks.filter(({ status }) => status === 'ok')} />
          </section>
        </div>
      )}
    </Page>
  );
}

function CheckList({ checks }: Pick<Health, 'checks'>) {
  const { health } = useMessages();
  return (
    <ul className={styles.checks}>
      {checks.map(({ name, status, message, fix }) => (
        <li key={name} className={styles.check}>
          <Badge tone={TONES[status]}>{health.statuses[status]}</Badge>
          <div>
            <strong>{name}</strong>
            <p>{message}</p>
            {fix !== undefined && (
              <p className={styles.fix}>
                {health.fix}: {fix}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** How many deliveries wait, which the queue does not count. */
function WaitingDeliveries({ count }: { readonly count: number | null }) {
  const { health } = useMessages();
  const format = useFormat();
  return count !== null && <p>{health.waitingDeliveries(format.number(count))}</p>;
}
