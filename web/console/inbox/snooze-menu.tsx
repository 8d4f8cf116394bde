import { useState } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { daysToMonday, morningIn } from './snooze-times.ts';
import { lazily } from '../ui/lazily.tsx';

const SnoozeDialog = lazily(async () => (await import('./snooze-dialog.tsx')).SnoozeDialog);

interface SnoozeMenuProps {
  readonly onSnooze: (until: Date) => void;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

const THREE_HOURS_MS = 3 * 3_600_000;

/** Hides the conversation until a time; a message of the contact brings it back before. */
export function SnoozeMenu({ onSnooze, isOpen, onOpenChange }: SnoozeMenuProps) {
  const { thread } = useMessages();
  const format = useFormat();
  const [isPicking, setPicking] = useState(false);
  const zone = useZone();
  const now = new Date();
  const toMonday = daysToMonday(zone, now);
  const choices: readonly (readonly [label: string, until: Date])[] = [
    [thread.snoozeInHours, new Date(now.getTime() + THREE_HOURS_MS)],
    [thread.snoozeTomorrow, morningIn(zone, now, 1)],
    // On a Sunday, the next week begins tomorrow.
    ...(toMonday > 1 ? ([[thread.snoozeNextWeek, morningIn(zone, now, toMonday)]] as const) : []),
  ];
  return (
    <>
      <Menu
        label={thread.snooze}
        placement="bottom end"
        startsAtFirst
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
      {isPicking && <SnoozeDialog onSnooze={onSnooze} onClose={() => setPicking(false)} />}
    </>
  );
}
