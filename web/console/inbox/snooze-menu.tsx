import { getLocalTimeZone, now, type ZonedDateTime } from '@internationalized/date';
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

const MORNING = { hour: 9, minute: 0, second: 0, millisecond: 0 };
const LATER_HOURS = 3;
const DAYS_OF_WEEK = 7;

/** Hides the conversation until a time; a message of the contact brings it back before. */
export function SnoozeMenu({ onSnooze, isOpen, onOpenChange }: SnoozeMenuProps) {
  const { thread } = useMessages();
  const format = useFormat();
  const [isPicking, setPicking] = useState(false);
  const today = now(getLocalTimeZone());
  const choices: readonly (readonly [label: string, until: ZonedDateTime])[] = [
    [thread.snoozeLaterToday, today.add({ hours: LATER_HOURS })],
    [thread.snoozeTomorrow, today.add({ days: 1 }).set(MORNING)],
    // On a Sunday, the next week begins tomorrow.
    ...(nextMonday(today).compare(today.add({ days: 2 })) > 0
      ? ([[thread.snoozeNextWeek, nextMonday(today)]] as const)
      : []),
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
            hint={format.dayAndTime(until.toDate().getTime())}
            onAction={() => onSnooze(until.toDate())}
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

function nextMonday(today: ZonedDateTime): ZonedDateTime {
  const MONDAY = 1;
  const weekday = today.toDate().getDay();
  const days = (MONDAY - weekday + DAYS_OF_WEEK) % DAYS_OF_WEEK || DAYS_OF_WEEK;
  return today.add({ days }).set(MORNING);
}
