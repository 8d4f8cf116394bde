import { useDeferredValue, type ReactNode } from 'react';
import { Link } from 'wouter';
import { BookButton } from '../calendar/book-button.tsx';
import { useContact } from '../contacts/contact-queries.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useConversation } from './conversation-queries.ts';
import { useOpenDeals, useOpenTasks, useUpcomingAppointments } from './panel-queries.ts';
import styles from './contact-panel.module.css';

/** The contact: details, upcoming appointments, deals and tasks. */
export function ContactPanel(props: { readonly conversationId: string }) {
  const { thread } = useMessages();
  // The text of the thread is drawn first.
  const conversationId = useDeferredValue<string | undefined>(props.conversationId, undefined);
  return (
    <aside className={styles.panel} aria-label={thread.details}>
      {conversationId === undefined ? (
        <SkeletonRows count={5} />
      ) : (
        <ConversationContact conversationId={conversationId} />
      )}
    </aside>
  );
}

function ConversationContact({ conversationId }: { readonly conversationId: string }) {
  const { data: conversation, isError } = useConversation(conversationId);
  if (conversation === undefined) {
    // The thread shows the error.
    return isError ? null : <SkeletonRows count={5} />;
  }
  return <PanelContent contactId={conversation.contactId} />;
}

function PanelContent({ contactId }: { readonly contactId: string }) {
  const { channels, contacts, panel, common } = useMessages();
  const { data: contact, error, refetch } = useContact(contactId);
  if (contact === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} count={5} />;
  }
  const name = `${contact.firstName} ${contact.lastName}`.trim() || common.unnamed;
  const names: Readonly<Record<string, string>> = channels;
  const details: readonly [label: string, value: string | null][] = [
    [contacts.email, contact.email],
    [contacts.phone, contact.phone],
    [contacts.company, contact.company],
    [contacts.jobTitle, contact.title],
    [contacts.city, contact.city],
    [contacts.source, names[contact.source ?? ''] ?? contact.source],
  ];
  return (
    <>
      <div className={styles.head}>
        <Avatar name={name} />
        <div className={styles.headText}>
          <Link href={`/contacts/${contact.id}`} className={styles.name}>
            {name}
          </Link>
          <span className={styles.quiet}>{contacts.stages[contact.lifecycleStage]}</span>
        </div>
      </div>
      <dl className={styles.details}>
        {details.map(([label, value]) =>
          value === null || value === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd title={value}>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {contact.tags.length > 0 && (
        <p className={styles.tags}>
          {contact.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
      <Appointments contactId={contactId} title={panel.appointments} />
      <Deals contactId={contactId} title={panel.deals} />
      <Tasks contactId={contactId} title={panel.tasks} />
    </>
  );
}

interface SectionProps {
  readonly contactId: string;
  readonly title: string;
}

/** Their times are those of the sub-account, as in its calendar. */
function Appointments({ contactId, title }: SectionProps) {
  const { panel } = useMessages();
  const format = useFormat(usePlace().membership.timezone);
  const { data } = useUpcomingAppointments(contactId);
  return (
    <Section
      title={title}
      empty={data && panel.noAppointments}
      rows={(data ?? []).map(({ id, title: name, startTime }) => ({
        id,
        text: name || panel.appointment,
        href: `/calendar?view=day&appointment=${id}`,
        hint: format.dayAndTime(startTime),
      }))}
      action={<BookButton contactId={contactId} isSmall />}
    />
  );
}

function Deals({ contactId, title }: SectionProps) {
  const { panel } = useMessages();
  const format = useFormat();
  const { data } = useOpenDeals(contactId);
  const rows = (data ?? []).map(({ id, name, value, currency, pipelineId: pipeline }) => ({
    id,
    text: name,
    href: `/opportunities?${new URLSearchParams({ pipeline, deal: id })}`,
    hint: value === null ? '' : format.money(value, currency),
  }));
  return <Section title={title} empty={data && panel.noDeals} rows={rows} />;
}

function Tasks({ contactId, title }: SectionProps) {
  const { panel } = useMessages();
  const format = useFormat();
  const { data } = useOpenTasks(contactId);
  const rows = (data ?? []).map(({ id, title: text, dueDate }) => ({
    id,
    text,
    href: `/tasks?task=${id}`,
    hint: dueDate === null ? '' : format.short(dueDate),
  }));
  return <Section title={title} empty={data && panel.noTasks} rows={rows} />;
}

interface RecordsProps {
  readonly title: string;
  /** Undefined while the records are loaded. */
  readonly empty: string | undefined;
  readonly rows: readonly {
    readonly id: string;
    readonly text: string;
    readonly href: string;
    readonly hint: ReactNode;
  }[];
  readonly action?: ReactNode;
}

const Section = ({ title, empty, rows, action }: RecordsProps) => (
  <section className={styles.section}>
    <div className={styles.sectionHead}>
      <h2 className={styles.title}>{title}</h2>
      {action}
    </div>
    {rows.length === 0 && <p className={styles.quiet}>{empty ?? '…'}</p>}
    <ul role="list">
      {rows.map(({ id, text, href, hint }) => (
        <li key={id} className={styles.row}>
          <span className={styles.rowText} title={text}>
            <Link href={href}>{text}</Link>
          </span>
          <span className={styles.quiet}>{hint}</span>
        </li>
      ))}
    </ul>
  </section>
);
