import type { Api, Configuration } from './api.ts';
import { openChat, type Chat, countUnread, markSeen } from './chat.ts';
import { makeConversationView, type ConversationView } from './conversation-view.ts';
import { describeRefusal } from './describe-refusal.ts';
import { make } from './element.ts';
import type { Embedding } from './main.ts';
import { makeHost } from './host.ts';
import { followKeyboard, handleKeys, isPhone } from './keyboard.ts';
import { openStoredSession } from './stored-session.ts';
import { makeLauncher, type Launcher } from './launcher.ts';
import { makePanel, type Panel, type View } from './panel.ts';
import { isOnlineNow } from './opening.ts';
import { makeStartView } from './start-view.ts';
import { texts } from './texts.ts';
import { showInTitle } from './title.ts';

/** An opened panel fetches the configuration again after this time. */
const CONFIGURATION_FRESH_MS = 300_000;
/** The hours begin and end at whole minutes. */
const HOURS_CHECKED_MS = 60_000;
const PANEL_ID = 'frontdesk-panel';

interface Widget {
  readonly api: Api;
  readonly chat: Chat;
  readonly root: HTMLElement;
  readonly panel: Panel;
  readonly launcher: Launcher;
  readonly start: View;
  readonly conversation: ConversationView;
  configuration: Configuration;
  /** When the configuration was fetched, in milliseconds since 1970. */
  fetchedAt: number;
  isOpen: boolean;
}

/** Puts the widget on the page. */
export function openWidget(embedding: Embedding, api: Api, configuration: Configuration): void {
  const panel = makePanel(PANEL_ID, () => toggle(widget, false));
  const launcher = makeLauncher(PANEL_ID, () => toggle(widget, !widget.isOpen));
  const spoken = make('p', { class: 'spoken', role: 'status' });
  const chat = openChat({
    api,
    storage: openStoredSession(embedding.subAccountId),
    changed: once(() => render(widget)),
    refused: (refusal) => {
      spoken.textContent = `${texts.failed} ${describeRefusal(refusal)}`;
    },
    arrived: ({ senderName }) => {
      // In an open panel, screen readers announce the message itself.
      spoken.textContent = widget.isOpen ? '' : texts.newFrom(senderName ?? texts.agent);
    },
  });
  const side = embedding.position ?? configuration.position ?? 'right';
  const root = makeHost(configuration, side, [panel.root, launcher.root, spoken]);
  const widget: Widget = {
    api,
    chat,
    root,
    panel,
    launcher,
    start: makeStartView(chat),
    conversation: makeConversationView(chat, configuration),
    configuration,
    fetchedAt: Date.now(),
    // On a phone the chat must not cover the page by itself.
    isOpen: embedding.open && !isPhone(),
  };
  handleKeys(root, panel.root, () => toggle(widget, false));
  followKeyboard(panel.root);
  document.addEventListener('visibilitychange', () => render(widget));
  setInterval(() => render(widget), HOURS_CHECKED_MS);
  render(widget);
}

function render(widget: Widget): void {
  const online = isOnlineNow(widget.configuration, widget.fetchedAt);
  if (online !== widget.configuration.online) {
    widget.configuration = { ...widget.configuration, online };
    widget.fetchedAt = Date.now();
  }
  const { chat, conversation, panel, launcher, configuration, isOpen } = widget;
  panel.render(isOpen, configuration);
  widget.root.classList.toggle('open', isOpen);
  show(widget, viewOf(widget));
  if (chat.leftover !== '') {
    conversation.putBack(chat.leftover);
    chat.leftover = '';
  }
  if (isOpen && !document.hidden) {
    markSeen(chat);
  }
  const unread = countUnread(chat);
  launcher.render(isOpen, unread);
  showInTitle(unread);
}

/** Shows `view` in the panel and moves the focus to it. */
function show({ panel, configuration }: Widget, view: View): void {
  if (view.root.parentNode === panel.body) {
    return view.render(configuration);
  }
  const hadFocus = panel.root.matches(':focus-within');
  panel.body.replaceChildren(view.root);
  view.render(configuration);
  view.shown();
  if (hadFocus) {
    view.focus();
  }
}

function toggle(widget: Widget, toOpen: boolean): void {
  widget.isOpen = toOpen;
  render(widget);
  if (!toOpen) {
    return widget.launcher.root.focus();
  }
  viewOf(widget).shown();
  viewOf(widget).focus();
  void refresh(widget);
}

async function refresh(widget: Widget): Promise<void> {
  if (Date.now() - widget.fetchedAt > CONFIGURATION_FRESH_MS) {
    widget.fetchedAt = Date.now();
    widget.configuration = (await widget.api.configuration()).data ?? widget.configuration;
    render(widget);
  }
}

const viewOf = ({ chat, start, conversation }: Widget): View =>
  chat.session === undefined ? start : conversation;

/** Returns a function that runs `run` once in the next microtask, however often it is called. */
function once(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (!isDue) {
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        run();
      });
    }
  };
}
