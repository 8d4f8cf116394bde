import { Link } from 'wouter';
import { useContact } from '../contacts/contact-queries.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import styles from './approvals.module.css';

interface ArgumentsProps {
  readonly given: Readonly<Record<string, unknown>>;
  /** The values are names of the API. */
  readonly isCode?: boolean;
}

/** The arguments of a call, one per row. */
export const Arguments = ({ given, isCode = false }: ArgumentsProps) => (
  <dl className={styles.arguments}>
    {Object.entries(given).map(([name, value]) => (
      <div key={name} className={styles.argument}>
        <dt>{wordsOf(name)}</dt>
        <dd>
          {isCode ? <code>{String(value)}</code> : <ArgumentValue name={name} value={value} />}
        </dd>
      </div>
    ))}
  </dl>
);

/** `firstName` is shown as `First name`, `contactId` as `Contact`. */
function wordsOf(name: string): string {
  const words = name
    .replace(/Ids?$/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

const TIME_NAME = /(?:Time|At|Date|since|until)$/;
const EARLIEST_TIME_MS = 10 ** 11;

function ArgumentValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const { approvals } = useMessages();
  const format = useFormat();
  if (name === 'contactId' && typeof value === 'string') {
    return <ContactLink id={value} />;
  }
  if (typeof value === 'boolean') {
    return value ? approvals.yes : approvals.no;
  }
  if (typeof value === 'number') {
    const isTime = TIME_NAME.test(name) && value > EARLIEST_TIME_MS;
    return isTime ? format.dayAndTime(value) : format.number(value);
  }
  if (Array.isArray(value)) {
    return value
      .map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))
      .join(', ');
  }
  if (typeof value === 'object' && value !== null) {
    return <Arguments given={value as Readonly<Record<string, unknown>>} />;
  }
  return typeof value === 'string' && value !== '' ? value : approvals.empty;
}

/** The name of a contact, which leads to the contact; the id if there is no such contact. */
function ContactLink({ id }: { readonly id: string }) {
  const { common } = useMessages();
  const { data } = useContact(id);
  const name = data && (`${data.firstName} ${data.lastName}`.trim() || common.unnamed);
  return name === undefined ? <code>{id}</code> : <Link href={`/contacts/${id}`}>{name}</Link>;
}
