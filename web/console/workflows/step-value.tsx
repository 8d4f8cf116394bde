import { useMessages } from '../i18n/messages.tsx';
import type { Messages } from '../i18n/message-types.ts';
import styles from './workflows.module.css';

type Texts = Messages['workflows'];

/** Returns a value of the manifest in one line, with the names of its members in words. */
export function valueText(texts: Texts, value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((one) => valueText(texts, one)).join(', ');
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, member]) => `${fieldName(texts, name)}: ${memberText(texts, member)}`)
      .join(' · ');
  }
  if (value === true || value === null || value === undefined) {
    return '';
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const memberText = (texts: Texts, member: unknown): string =>
  typeof member === 'boolean' ? (member ? texts.yes : texts.no) : valueText(texts, member);

/** Members without a name in words, such as those of the data of an event, keep theirs. */
const fieldName = ({ fields }: Texts, name: string): string =>
  Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : name;

/** The value of a step: its text, or each member with its name on a line. */
export function StepValue({ value }: { readonly value: unknown }) {
  const { workflows } = useMessages();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return <span>{valueText(workflows, value)}</span>;
  }
  return (
    <dl className={styles.members}>
      {Object.entries(value).map(([name, member]) => (
        <div key={name}>
          <dt>{fieldName(workflows, name)}</dt>
          <dd>{memberText(workflows, member)}</dd>
        </div>
      ))}
    </dl>
  );
}
