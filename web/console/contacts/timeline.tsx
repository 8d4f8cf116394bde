import { useState } from 'react';
import { Link } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { SubmissionDialog } from './submission-dialog.tsx';
import { useTimeline, type TimelineEntry } from './timeline-queries.ts';
import styles from './timeline.module.css';

type Kind = TimelineEntry['kind'];

const ICONS: Readonly<Record<Kind, IconName>> = {
  message: 'chat',
  note: 'note',
  appointment: 'calendar',
  opportunity: 'opportunities',
  task: 'tasks',
  submission: 'file',
  campaign: 'campaigns',
  run: 'workflows',
  consent: 'mail',
};

/** Everything that happened with a contact, newest first. */
export function Timeline({ contactId }: { readonly contactId: string }) {
  const { contacts } = useMessages();
  const [submissionId, setSubmissionId] = useState<string>();
  const query = useTimeline(contactId);
  if (query.data === undefined) {
    return <NotLoaded error={query.error} onRetry={() => void query.refetch()} />;
  }
  const entries = query.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0) {
    return (
      <EmptyState icon="clock" title={contacts.emptyTimeline}>
        {contacts.emptyTimelineText}
      </EmptyState>
    );
  }
  return (
    <div className={styles.timeline}>
      <ol role="list" aria-label={contacts.timeline}>
        {entries.map((entry) => (
          <Entry key={`${entry.kind} ${entry.id}`} entry={entry} onRead={setSubmissionId} />
        ))}
      </ol>
      <LoadMore query={query} />
      {submissionId !== undefined && (
        <SubmissionDialog
          contactId={contactId}
          submissionId={submissionId}
          onClose={() => setSubmissionId(undefined)}
        />
      )}
    </div>
  );
}

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly onRead: (submissionId: string) => void;
}

function Entry({ entry, onRead }: EntryProps) {
  const { contacts } = useMessages();
  const format = useFormat();
  const { kind, id, at, startTime } = entry;
  const status = useStatus(entry);
  const text = useText(entry);
  const href = hrefOf(entry);
  return (
    <li className={styles.entry}>
      <span className={styles.kind}>
        <Icon name={ICONS[kind]} size={16} />
        {contacts.kinds[kind]}
      </span>
      <span className={styles.summary} dir="auto">
        {href === undefined ? text : <Link href={href}>{text}</Link>}
        {startTime !== null && (
          <time className={styles.start} dateTime={startTime}>
            {format.dayAndTime(startTime)}
          </time>
        )}
        {status !== undefined && <Badge>{status}</Badge>}
        {kind === 'submission' && (
          <Button isSmall aria-label={contacts.answersOf(text)} onPress={() => onRead(id)}>
            {contacts.answers}
          </Button>
        )}
      </span>
      <time className={styles.when} dateTime={at}>
        {startTime === null ? format.dayAndTime(at) : contacts.booked(format.dayAndTime(at))}
      </time>
    </li>
  );
}

/** Where the console shows the record. */
function hrefOf({ kind, id, parent }: TimelineEntry): string | undefined {
  const hrefs: Partial<Record<Kind, string>> = {
    message: `/inbox/${parent}`,
    note: `/inbox/${parent}`,
    appointment: `/calendar?view=day&appointment=${id}`,
    task: `/tasks?task=${id}`,
    campaign: `/campaigns/${parent}`,
    run: `/workflows/${encodeURIComponent(parent ?? '')}/runs/${id}`,
  };
  return hrefs[kind];
}

/** A text of one row: an appointment may have no title, an opt-out is named by its channel. */
function useText({ kind, summary }: TimelineEntry): string {
  const { channels, contacts } = useMessages();
  if (kind === 'message' || kind === 'note' || kind === 'consent') {
    return (channels as Readonly<Record<string, string>>)[summary] ?? summary;
  }
  return summary || contacts.kinds[kind];
}

function useStatus({ kind, status }: TimelineEntry): string | undefined {
  const { calendar, consent, contacts, deals, tasks, workflows } = useMessages();
  if (status === null) {
    return undefined;
  }
  const names: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
    appointment: calendar.statuses,
    opportunity: deals.statuses,
    task: tasks.statuses,
    run: workflows.statuses,
    consent: consent.reasons,
  };
  const name = names[kind]?.[status] ?? status;
  return kind === 'consent' ? contacts.optedOut(name) : name;
}
