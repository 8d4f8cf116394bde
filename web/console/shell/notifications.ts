import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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

/** Returns the function that announces a conversation with a new message of the contact. */
export function useAnnounce(): (conversationId: string) => void {
  const { shell, common } = useMessages();
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const load = async (id: string) => {
    const { contact, unreadCount } = await queries.fetchQuery({
      queryKey: [subAccountId, 'conversation', id],
      queryFn: ({ signal }) => clientOf(subAccountId).conversations.get(id, { signal }),
      staleTime: 0,
    });
    if (unreadCount > 0) {
      announce({
        title: shell.newMessage(contact.name || common.unnamed),
        tag: id,
        onOpen: () => navigate(`/inbox/${id}`),
      });
    }
  };
  return (id) => {
    if (isAllowed() && document.visibilityState === 'hidden') {
      // Without the conversation there is nothing to announce; the list shows it later.
      void load(id).catch(() => undefined);
    }
  };
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
