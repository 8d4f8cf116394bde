import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { stored } from '../ui/stored.ts';

const wanted = stored('notifications');

const isAllowed = (): boolean =>
  'Notification' in globalThis && Notification.permission === 'granted' && wanted.read() === 'on';

/** Whether new messages are announced, and the function that asks the browser for it. */
export function useNotifications() {
  const [isOn, setOn] = useState(isAllowed);
  return {
    isOn,
    async toggle() {
      const next =
        !isOn &&
        'Notification' in globalThis &&
        (await Notification.requestPermission()) === 'granted';
      wanted.write(next ? 'on' : undefined);
      setOn(next);
    },
  };
}

/** The time of the message that was announced last, by conversation. */
const announced = new Map<string, string | null>();

/** Returns the function that announces a conversation with a new message of the contact. */
export function useAnnounce(): (conversationId: string) => void {
  const { shell, common } = useMessages();
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  useEffect(lockWhileSeen, []);
  const load = async (id: string) => {
    // Before the conversation is loaded: the tab may be left in that time.
    if (await isSeenInBrowser()) {
      return;
    }
    const { contact, unreadCount, lastMessageAt } = await queries.fetchQuery({
      queryKey: [subAccountId, 'conversation', id],
      queryFn: ({ signal }) => clientOf(subAccountId).conversations.get(id, { signal }),
      staleTime: 0,
    });
    // Receipts and notes are changes of messages, too.
    const isNew = announced.get(id) !== lastMessageAt;
    announced.set(id, lastMessageAt);
    if (unreadCount > 0 && isNew) {
      await inOneTab(`${id}:${lastMessageAt}`, () =>
        announce({
          title: shell.newMessage(contact.name || common.unnamed),
          tag: id,
          onOpen: () => navigate(`/inbox/${id}`),
        }),
      );
    }
  };
  return (id) => {
    if (isAllowed() && document.visibilityState === 'hidden') {
      // Without the conversation there is nothing to announce; the list shows it later.
      void load(id).catch(() => undefined);
    }
  };
}

const SEEN_LOCK = 'frontdesk:seen';
/** Longer than the tabs of a browser need to receive one message. */
const ANNOUNCED_MS = 10_000;

/** Holds a shared lock while this tab is looked at; returns what ends that. */
function lockWhileSeen(): () => void {
  let release: (() => void) | undefined;
  let isOver = false;
  const isSeen = () => !isOver && document.visibilityState === 'visible';
  const lock = async () => {
    release?.();
    if (isSeen() && 'locks' in navigator) {
      await navigator.locks.request(SEEN_LOCK, { mode: 'shared' }, () =>
        isSeen() ? new Promise<void>((resolve) => (release = resolve)) : undefined,
      );
    }
  };
  const onChange = () => void lock();
  onChange();
  document.addEventListener('visibilitychange', onChange);
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', onChange);
    release?.();
  };
}

/** Returns whether a tab of this browser is looked at. */
async function isSeenInBrowser(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === SEEN_LOCK);
}

/** Runs in one tab of the browser. */
async function inOneTab(name: string, run: () => void): Promise<void> {
  await navigator.locks.request(`frontdesk:announce:${name}`, { ifAvailable: true }, (lock) => {
    if (lock === null) {
      return undefined;
    }
    run();
    return new Promise((resolve) => setTimeout(resolve, ANNOUNCED_MS));
  });
}

interface Announcement {
  readonly title: string;
  /** Notifications with one tag replace each other. */
  readonly tag: string;
  readonly onOpen: () => void;
}

function announce({ title, tag, onOpen }: Announcement): void {
  const notification = new Notification(title, { tag });
  notification.addEventListener('click', () => {
    globalThis.focus();
    onOpen();
    notification.close();
  });
  playSound();
}

/** Two short, soft tones. Browsers allow them once the user has pressed something on the page. */
function playSound(): void {
  const audio = new AudioContext();
  const gain = audio.createGain();
  gain.connect(audio.destination);
  gain.gain.setValueAtTime(0.05, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  for (const [pitch, after] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const tone = audio.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(gain);
    tone.start(audio.currentTime + after);
    tone.stop(audio.currentTime + after + 0.25);
    tone.addEventListener('ended', () => after > 0 && void audio.close());
  }
}
