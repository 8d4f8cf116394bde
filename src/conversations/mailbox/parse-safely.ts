import { Fault } from '#core/fault.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { nextSlice } from '#lib/in-slices.ts';
import {
  openGuardedThread,
  ThreadOverrun,
  type GuardedThread,
} from '#platform/process/guarded-thread.ts';
import { shareThreads } from '#platform/process/shared-threads.ts';
import type { WebhookContent } from '../inbound/callback.schema.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import { explainMail, hashId, type ExplainedMail } from './parse-mail.ts';
import type { MailToParse, ParsedMail } from './parser-thread.ts';

/**
 * Mails within these limits are parsed without a thread, in about 10 ms at most. PostalMime keeps each line
 * as two pieces of a Blob, whose bytes are read piece by piece: 20 µs a line. A part takes up to 0.5 ms.
 */
const INLINE_MAX_BYTES = 8 * 1024;
const INLINE_MAX_LINES = 200;
const INLINE_MAX_PARTS = 20;

/** The slowest known mail within the other limits takes 8 s. */
const DEADLINE_MS = 20 * SECOND_MS;

export type ParserThread = GuardedThread<MailToParse, ParsedMail>;

/** Mails of 25 MiB need a third of the memory. */
export const openParser = (deadlineMs = DEADLINE_MS): ParserThread =>
  openGuardedThread({
    file: new URL('./parser-thread.ts', import.meta.url),
    deadlineMs,
    memoryMaxMb: 512,
    idleMs: MINUTE_MS / 2,
  });

/** A channel uses one thread at a time. */
const parseInThread = shareThreads({ open: openParser, threads: 3 });

const parserOf = (channelId: string): ParserThread => ({
  run: (mail) => parseInThread(channelId, mail),
});

type Settings = Pick<ChannelSetup, 'subAccountId' | 'id' | 'settings'>;

/**
 * Like `explainMail`, without blocking the thread of the caller for long. Throws `ThreadOverrun` for a
 * mail that takes too much time or memory.
 */
export async function explainSafely(
  raw: Buffer,
  setup: Settings,
  by: ParserThread = parserOf(setup.id),
): Promise<ExplainedMail> {
  if (isQuick(raw)) {
    return explainInSlice(raw, setup);
  }
  const { from, replyTo, user, imap } = setup.settings;
  const parsed = await by.run({ raw, settings: { from, replyTo, user, imap } });
  if ('mail' in parsed) {
    return parsed.mail;
  }
  const { message, details } = parsed.refusal;
  throw new Fault('VALIDATION_ERROR', message, details);
}

function isQuick(raw: Buffer): boolean {
  if (raw.length > INLINE_MAX_BYTES) {
    return false;
  }
  const lines = raw.toString('latin1').split('\n');
  const parts = lines.filter((line) => line.startsWith('--'));
  return lines.length <= INLINE_MAX_LINES && parts.length <= INLINE_MAX_PARTS;
}

/** Mails that arrive together are parsed in one cycle of the event loop each. */
async function explainInSlice(
  raw: Buffer,
  { subAccountId, settings }: Settings,
): Promise<ExplainedMail> {
  await nextSlice(subAccountId);
  return explainMail(raw, { settings });
}

/** Parses a mail. If that takes too long, the message has a note instead of its content. */
export async function parseMail(
  raw: Buffer,
  setup: Settings,
  by?: ParserThread,
): Promise<WebhookContent> {
  try {
    const { inbound, receipts } = await explainSafely(raw, setup, by);
    return { inbound, receipts };
  } catch (error) {
    if (!(error instanceof ThreadOverrun)) {
      throw error;
    }
    const { inbound, receipts } = await explainOutline(raw, setup);
    return { inbound, receipts };
  }
}

const NOTE =
  '[The content of this mail is missing: it could not be read. Look for the mail in your mailbox.]';

/**
 * Explains a mail by the first headers alone, with a note instead of its content. A report on a delivery
 * stays an automatic mail.
 */
export async function explainOutline(raw: Buffer, setup: Settings): Promise<ExplainedMail> {
  const head = headOf(raw);
  const isReport = /^content-type:\s*multipart\/report\b/im.test(head);
  const kept = head.replaceAll(
    /^(?:content-|mime-version:)[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n?/gim,
    '',
  );
  const marks = isReport ? 'Auto-Submitted: auto-generated\r\n' : '';
  const outline = Buffer.from(`${marks}${kept.trimEnd()}\r\n\r\n${NOTE}\r\n`, 'latin1');
  const explained = await explainInSlice(outline, setup);
  const hash = hashId(raw);
  return {
    ...explained,
    inbound: explained.inbound.map((one) =>
      one.externalId === hashId(outline) ? { ...one, externalId: hash } : one,
    ),
  };
}

/** Headers of this size take less than 10 ms. */
const HEAD_MAX_BYTES = 8 * 1024;

/** Returns the header lines that fit into the bound. */
function headOf(raw: Buffer): string {
  const start = raw.subarray(0, HEAD_MAX_BYTES).toString('latin1');
  const [head = ''] = start.split(/\r?\n\r?\n/, 1);
  return head.length < start.length ? head : head.slice(0, head.lastIndexOf('\n') + 1);
}
