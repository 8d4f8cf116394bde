import { Link } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { actionTitle } from './action-title.ts';
import type { LogEntry, LogRecord } from './workflow-queries.ts';
import styles from './workflows.module.css';

const TONES: Readonly<Record<string, Tone>> = {
  failed: 'bad',
  skipped: 'warn',
  timed_out: 'warn',
};

/** The steps that a run took, with what became of each. */
export function RunSteps({ log }: { readonly log: readonly LogEntry[] }) {
  const { workflows } = useMessages();
  return (
    <ol role="list" aria-label={workflows.steps}>
      {log.map((entry) => (
        <li key={`${entry.place} ${entry.at}`} className={styles.step}>
          <strong>{actionTitle(workflows, entry.step)}</strong>{' '}
          <OutcomeBadge outcome={entry.outcome} /> <Result entry={entry} />
        </li>
      ))}
    </ol>
  );
}

/** What became of a step. */
export function OutcomeBadge({ outcome }: { readonly outcome: string }) {
  const { workflows } = useMessages();
  return (
    <Badge tone={TONES[outcome] ?? 'neutral'}>{outcomeText(workflows.outcomes, outcome)}</Badge>
  );
}

const outcomeText = (outcomes: Readonly<Record<string, string>>, outcome: string): string =>
  outcomes[outcome] ?? outcome;

/** A wait in the log: `until 2026-11-26T19:00:00.000Z`. */
const WAITED = /^until (\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/** The id of what a step wrote: the link replaces it. */
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What a step did, and when. A wait names the time once. */
function Result({ entry: { detail, record, at } }: { readonly entry: LogEntry }) {
  const { workflows } = useMessages();
  const format = useFormat();
  const [, waitedUntil] = WAITED.exec(detail ?? '') ?? [];
  if (waitedUntil !== undefined) {
    return <time dateTime={waitedUntil}>{workflows.until(format.dayAndTime(waitedUntil))}</time>;
  }
  return (
    <>
      {record ? (
        <Link href={hrefOf(record)}>{workflows.records[record.type]}</Link>
      ) : (
        detail !== null && !ID.test(detail) && <OutcomeDetail text={detail} />
      )}{' '}
      <time dateTime={at}>{format.dayAndTime(at)}</time>
    </>
  );
}

/** The server's detail for a contact that must not be written to. */
const OPTED_OUT = 'the contact opted out of this channel, or has do-not-disturb set';

/** Why a step ended as it did. */
export function OutcomeDetail({ text }: { readonly text: string }) {
  const { workflows } = useMessages();
  return <span>{text === OPTED_OUT ? workflows.optedOut : text}</span>;
}

function hrefOf({ type, id, withinId }: LogRecord): string {
  switch (type) {
    case 'message':
      return `/inbox/${withinId ?? ''}`;
    case 'opportunity':
      return `/opportunities?${new URLSearchParams({ pipeline: withinId ?? '', deal: id })}`;
    case 'task':
      return `/tasks?task=${id}`;
  }
}
