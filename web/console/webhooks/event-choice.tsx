import { EVENT_NAMES } from '../../../sdk/src/generated/event-fields.ts';
import type { WebhooksCreateBody } from '../../../sdk/src/generated/webhooks.ts';
import { useHookMessages } from './hook-messages.ts';
import { Checkbox } from '../ui/switch.tsx';
import styles from './webhooks.module.css';

export type ChosenEvents = WebhooksCreateBody['events'];

const ALL = '*';

interface EventChoiceProps {
  readonly chosen: ChosenEvents;
  readonly onChange: (chosen: ChosenEvents) => void;
}

/** The events of a subscription: all of them, or a checkbox for each. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const { hooks } = useHookMessages();
  const isAll = chosen.includes(ALL);
  return (
    <fieldset className={styles.events}>
      <legend className={styles.legend}>{hooks.events}</legend>
      <Checkbox isSelected={isAll} onChange={(all) => onChange(all ? [ALL] : [])}>
        {hooks.everyEvent}
      </Checkbox>
      {!isAll && (
        <div className={styles.names}>
          {EVENT_NAMES.map((name) => (
            <Checkbox
              key={name}
              isSelected={chosen.includes(name)}
              onChange={(isChosen) =>
                onChange(isChosen ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            >
              {name}
            </Checkbox>
          ))}
        </div>
      )}
    </fieldset>
  );
}
