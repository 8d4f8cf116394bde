import { endSession, takeRows, type Chat, type Draft } from './chat.ts';
import { newKey, type FileRow } from './api.ts';

/** Shows a message at once and sends it after the earlier ones. */
export function sendMessage(chat: Chat, text: string, files: readonly FileRow[] = []): void {
  const written = { text, files, writtenAt: new Date(), key: newKey() };
  const draft: Draft = { ...written, refusal: undefined, refusedAt: 0 };
  if (chat.session !== undefined) {
    chat.session.drafts = [...chat.session.drafts, draft];
    chat.changed();
    queue(chat, () => deliver(chat, draft));
  }
}

/** Sends a failed draft again, unless it turns out to have arrived. */
export function sendAgain(chat: Chat, draft: Draft): void {
  const mayHaveArrived = draft.refusal?.status === 0 || (draft.refusal?.status ?? 0) >= 500;
  draft.refusal = undefined;
  chat.changed();
  queue(chat, async () => {
    if (mayHaveArrived) {
      await fetchMissed(chat);
    }
    await deliver(chat, draft);
  });
}

function queue(chat: Chat, send: () => Promise<void>): void {
  if (chat.session !== undefined) {
    chat.session.sending = chat.session.sending.then(send);
  }
}

/** Fetches messages that the page has not received: a draft among them is replaced. */
async function fetchMissed(chat: Chat): Promise<void> {
  const { session } = chat;
  if (session !== undefined) {
    const { data } = await chat.api.messages(session.id, session.transcript.cursor());
    takeRows(chat, session, data ?? []);
  }
}

async function deliver(chat: Chat, draft: Draft): Promise<void> {
  const { session } = chat;
  if (!session?.drafts.includes(draft)) {
    return;
  }
  const { data, refusal } = await chat.api.postMessage(session.id, draft);
  if (refusal?.status === 404) {
    return endSession(chat, session);
  }
  if (data === undefined) {
    draft.refusal = refusal;
    draft.refusedAt = Date.now();
    chat.refused(refusal);
  } else if (session.drafts.includes(draft)) {
    session.origins.set(data.id, draft);
    session.transcript.take([data], 'answer');
    session.drafts = session.drafts.filter((one) => one !== draft);
  }
  chat.changed();
}
