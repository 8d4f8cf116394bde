import { useMessages } from '../i18n/messages.tsx';
import { WhyButton } from '../why/why-button.tsx';
import { useWhy } from '../why/why-queries.ts';

interface NoticeStateProps {
  readonly label: string;
  readonly kind: 'confirmation' | 'reminder';
  readonly appointmentId: string;
}

/** Whether a notice of an appointment was sent, or in a few words why not; the button has the details. */
export function NoticeState({ label, kind, appointmentId }: NoticeStateProps) {
  const { planner } = useMessages();
  const query = { kind, id: appointmentId };
  const { data } = useWhy(query);
  const texts: Readonly<Record<string, string>> = planner.notices;
  const states = data?.reasons.map(({ rule }) => texts[rule] ?? planner.notSent) ?? [];
  return (
    <p>
      {label}
      {states.length > 0 && `: ${[...new Set(states)].join('; ')}`}{' '}
      <WhyButton query={query} label={planner.noticeDetails} title={label} />
    </p>
  );
}
