import { EVENT_NAMES } from '../../../sdk/src/generated/event-fields.ts';
import { Select } from '../ui/select.tsx';
import { useHookMessages } from './hook-messages.ts';

const ALL = '';
/** What `Send test event` sends. */
export const TEST_EVENT = 'webhook.test';

interface EventSelectProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** Undefined for all events. */
  readonly value: string | undefined;
  /** Whether test events can be chosen. */
  readonly hasTest?: boolean;
  /** The names to choose from; all by default. */
  readonly names?: readonly string[];
  readonly onChange: (event: string | undefined) => void;
}

/** A choice of one event by its name, or of all. */
export function EventSelect({ names = EVENT_NAMES, hasTest = false, ...props }: EventSelectProps) {
  const { hooks } = useHookMessages();
  const all = hasTest ? [...names, TEST_EVENT] : names;
  return (
    <Select
      label={props.label}
      isLabelHidden={props.isLabelHidden ?? false}
      value={props.value ?? ALL}
      options={[{ id: ALL, label: hooks.anyEvent }, ...all.map((id) => ({ id, label: id }))]}
      onChange={(to) => props.onChange(to === ALL ? undefined : to)}
    />
  );
}

/** Returns the event that a parameter of the address names; undefined for unknown names. */
export const eventNamed = (name: string | null): string | undefined =>
  [...EVENT_NAMES, TEST_EVENT].find((one) => one === name);
