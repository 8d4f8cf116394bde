import { Fault, invalidField } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { AttachedFile } from '../../files/attach-files.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { Carrier } from '../channels/channel.store.ts';

const MIB_BYTES = 1024 * 1024;

/** What a carrier can transport with one message. */
interface Capacity {
  readonly filesMax?: number;
  /** Of all files together. */
  readonly bytesMax?: number;
  /** Either a text or a file, not both. */
  readonly isEither?: true;
}

/** Mail servers commonly refuse mails above 25 MB, and base64 adds a third. */
const OF_CARRIER: Readonly<Record<string, Capacity>> = {
  smtp: { bytesMax: 18 * MIB_BYTES },
  gmail: { bytesMax: 18 * MIB_BYTES },
  twilio: { filesMax: 10, bytesMax: 5 * MIB_BYTES },
  meta: { filesMax: 1, bytesMax: 25 * MIB_BYTES, isEither: true },
};

/** Throws VALIDATION_ERROR for a message without text and without files. */
export function refuseBlank(bodyText: string, fileCount: number, path = '/bodyText'): void {
  const notBlank = FORMATS['not-blank'];
  if (fileCount === 0 && notBlank && !notBlank.test(bodyText)) {
    throw invalidField(path, notBlank.says);
  }
}

/** Throws VALIDATION_ERROR if the carrier of a channel cannot transport the files. */
export function refuseFiles(
  { channel, carrier }: { readonly channel: Channel; readonly carrier: Carrier | undefined },
  files: readonly AttachedFile[],
  bodyText: string,
): void {
  const reason = files.length === 0 ? undefined : reasonAgainst(channel, carrier, files, bodyText);
  if (reason !== undefined) {
    const details = { reason: 'files_not_supported' };
    throw new Fault('VALIDATION_ERROR', `attachmentIds: ${reason}`, details);
  }
}

function reasonAgainst(
  channel: Channel,
  carrier: Carrier | undefined,
  files: readonly AttachedFile[],
  bodyText: string,
): string | undefined {
  if (channel === 'sms' && carrier === 'http') {
    return 'sms through the http bridge cannot carry files; send a link';
  }
  const { filesMax, bytesMax, isEither } = OF_CARRIER[carrier ?? ''] ?? {};
  if (isEither && bodyText.trim() !== '') {
    return `a message by ${channel} is either a text or a file; send them one after the other`;
  }
  if (filesMax !== undefined && files.length > filesMax) {
    return `a message by ${channel} can have at most ${filesMax} ${filesMax === 1 ? 'file' : 'files'}`;
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return bytesMax !== undefined && bytes > bytesMax
    ? `the files of a message by ${channel} can have at most ${bytesMax / MIB_BYTES} MiB together`
    : undefined;
}
