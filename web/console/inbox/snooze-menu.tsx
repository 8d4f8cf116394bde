import { lazy, Suspense, useState } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';

const SnoozeDialog = lazy(async () => ({
  default: (await import('./snooze-dialog.tsx')).SnoozeDialog,
}));

interface SnoozeMenuProps {
  readonly onSnooze: (until: Date) => void;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

const MORNING_HOUR = 9;
const LATER_MS = 3 * 3_600_000;
const DAYS_OF_WEEK = 7;

/** Hides the conversation until a time; a message of the contact brings it back before. */
export function SnoozeMenu({ onSnooze, isOpen, onOpenChange }: SnoozeMenuProps) {
  const { thread } = useMessages();
  const format = useFormat();
  const [isPicking, setPicking] = useState(false);
  const now = new Date();
  const toMonday = daysToMonday(now);
  const choices: readonly (readonly [label: string, until: Date])[] = [
    [thread.snoozeLaterToday, new Date(now.getTime() + LATER_MS)],
    [thread.snoozeTomorrow, morningIn(now, 1)],
    // On a Sunday, the next week begins tomorrow.
    ...(toMonday > 1 ? ([[thread.snoozeNextWeek, morningIn(now, toMonday)]] as const) : []),
  ];
  return (
    <>
      <Menu
        label={thread.snooze}
        placement="bottom end"
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        trigger={<Button icon="clock">{thread.snooze}</Button>}
      >
        {choices.map(([label, until]) => (
          <MenuItem
            key={label}
            hint={format.dayAndTime(until.getTime())}
            onAction={() => onSnooze(until)}
          >
            {label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon="calendar" onAction={() => setPicking(true)}>
          {thread.snoozePick}
        </MenuItem>
      </Menu>
      {isPicking && (
        <Suspense>
          <SnoozeDialog onSnooze={onSnooze} onClose={() => setPicking(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Returns how many days from now the next Monday is: 1 to 7. */
const daysToMonday = (now: Date): number => DAYS_OF_WEEK - ((now.getDay() + 6) % DAYS_OF_WEEK);

/** Returns 9:00 of a day from now, in the zone of the browser. */
const morningIn = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);
