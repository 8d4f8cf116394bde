import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import type { Messages } from '../i18n/message-types.ts';
import { useTeam } from '../inbox/conversation-queries.ts';
import styles from './workflows.module.css';

type Texts = Messages['workflows'];

/** Returns a value of the manifest in one line, with the names of its members in words. */
function valueText(texts: Texts, value: unknown): string {
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

/** Minutes in each unit of durations such as `3d`. */
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };

/** Members that are durations. */
const DURATIONS = new Set(['for', 'timeout', 'dueIn']);

/** Returns the function that shows a member of a step: channels and people by name, durations in words. */
function useMemberText(): (name: string, member: unknown) => string {
  const { workflows, channels } = useMessages();
  const { data: team = [] } = useTeam();
  const format = useFormat();
  return (name, member) => {
    const text = memberText(workflows, member);
    if (name === 'assign') {
      return team.find(({ key }) => key === text)?.name ?? text;
    }
    if (name === 'channel' && Object.hasOwn(channels, text)) {
      return channels[text as keyof typeof channels];
    }
    const minutes = Number.parseInt(text, 10) * (MINUTES[text.slice(-1)] ?? Number.NaN);
    return DURATIONS.has(name) && minutes > 0 ? format.duration(minutes) : text;
  };
}

/** Returns the function that shows what an action or a trigger is given, in one line. */
export function useStepText(): (name: string, value: unknown) => string {
  const { workflows } = useMessages();
  const shown = useMemberText();
  return (name, value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.entries(value)
        .map(([field, member]) => `${fieldName(workflows, field)}: ${shown(field, member)}`)
        .join(' · ');
    }
    return value === true ? '' : shown(name, value);
  };
}

/** Returns the conditions of a trigger in one line. */
export const whereText = (texts: Texts, where: Readonly<Record<string, unknown>>): string =>
  Object.entries(where)
    .map(([name, member]) => `${fieldName(texts, name)} = ${memberText(texts, member)}`)
    .join(', ');

interface StepValueProps {
  /** The name of its action. */
  readonly action: string;
  readonly value: unknown;
  /** The time of the step. */
  readonly children: ReactNode;
}

/** The value of a step and its time: its text before it, or each member on a line below. */
export function StepValue({ action, value, children }: StepValueProps) {
  const { workflows } = useMessages();
  const shown = useMemberText();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return (
      <>
        <span>{value !== true && shown(action, value)}</span> {children}
      </>
    );
  }
  return (
    <>
      {children}
      <dl className={styles.members}>
        {Object.entries(value).map(([name, member]) => (
          <div key={name}>
            <dt>{fieldName(workflows, name)}</dt>
            <dd>{shown(name, member)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
