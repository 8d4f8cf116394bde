import { useRef, useState } from 'react';
import type { Message } from '../../../sdk/src/generated/conversations.ts';
import { usePlace } from '../api/session.ts';

export type FileRecord = Message['attachments'][number];

/** A file that waits for its message. */
interface PendingFile {
  readonly key: number;
  readonly name: string;
  readonly record?: FileRecord;
  /** Why it was refused: too large, of another type, or anything else. */
  readonly error?: 'size' | 'type' | 'other';
}

export interface Attachments {
  readonly pending: readonly PendingFile[];
  /** The uploaded ones. */
  readonly ready: readonly FileRecord[];
  readonly isBusy: boolean;
  readonly add: (files: Iterable<File>) => void;
  readonly remove: (key: number) => void;
  /** Returns the uploaded files and empties the list. */
  readonly take: () => FileRecord[];
  /** Puts files back whose message was refused. */
  readonly putBack: (files: readonly FileRecord[]) => void;
}

/** Returns the files of a message that is being written. They are uploaded at once. */
export function useAttachments(): Attachments {
  const { subAccountId } = usePlace().membership;
  const [pending, setPending] = useState<readonly PendingFile[]>([]);
  const keys = useRef(0);
  const update = (key: number, part: Partial<PendingFile>) =>
    setPending((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      keys.current += 1;
      const key = keys.current;
      setPending((all) => [...all, { key, name: file.name }]);
      void upload(subAccountId, file).then((part) => update(key, part));
    }
  };
  const ready = pending.flatMap(({ record }) => record ?? []);
  return {
    pending,
    ready,
    isBusy: pending.some(({ record, error }) => !record && error === undefined),
    add,
    remove: (key) => setPending((all) => all.filter((one) => one.key !== key)),
    take() {
      setPending((all) => all.filter(({ record }) => !record));
      return ready;
    },
    putBack(files) {
      const back = files.map((record) => {
        keys.current += 1;
        return { key: keys.current, name: record.name, record };
      });
      setPending((all) => [...back, ...all]);
    },
  };
}

/** Returns the file, or why it was refused. The client of the API speaks JSON only. */
async function upload(subAccountId: string, file: File): Promise<Partial<PendingFile>> {
  try {
    const name = encodeURIComponent(file.name || 'file');
    const response = await fetch(`/console/api/v1/files?name=${name}`, {
      method: 'POST',
      headers: {
        'content-type': file.type || 'application/octet-stream',
        'x-sub-account-id': subAccountId,
      },
      body: file,
    });
    const { data } = (await response.json()) as Answer;
    return data ? { record: data } : { error: ERRORS[response.status] ?? 'other' };
  } catch {
    return { error: 'other' };
  }
}

interface Answer {
  readonly data?: FileRecord;
}

const ERRORS: Readonly<Record<number, 'size' | 'type'>> = { 400: 'type', 413: 'size', 415: 'type' };

/** Returns the address of a content behind the session; images and links cannot send headers. */
export const contentUrl = (subAccountId: string, path: string): string =>
  `/console${path}?subAccountId=${subAccountId}`;
