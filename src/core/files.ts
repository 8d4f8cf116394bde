/** What a stored file is found by. */
export interface FileKey {
  readonly subAccountId: string;
  readonly id: string;
}

/** A stored file that is being read. */
export interface OpenFile {
  /** Undefined if the storage does not state it, such as a bucket behind a proxy that compresses. */
  readonly sizeBytes: number | undefined;
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * Stores the contents of files: in a folder, or in a bucket that speaks S3. Every method throws
 * SERVICE_UNAVAILABLE if the storage cannot be used. Never call it inside a Work.
 */
export interface FileStore {
  /** The folder or bucket, for operators. */
  readonly place: string;
  /** The largest file that is accepted. */
  readonly maxBytes: number;
  /**
   * Throws SERVICE_UNAVAILABLE if a file of this size would leave too little of the disk free. Visitors
   * have to leave more than the team. A bucket has no such limit.
   */
  requireSpace(bytes: number, uploader: 'visitor' | 'team'): Promise<void>;
  /** Stores the content under its key, as a whole or not at all. */
  put(key: FileKey, bytes: Uint8Array): Promise<void>;
  /** Returns undefined if there is no such file. */
  open(key: FileKey): Promise<OpenFile | undefined>;
  /** Does nothing if there is no such file. */
  remove(key: FileKey): Promise<void>;
  /** Lists the keys of all stored files, in no particular order. */
  list(): AsyncIterable<FileKey>;
  /** Writes, reads and removes a file. Leaves nothing behind, and creates no folder that is missing. */
  probe(): Promise<ProbeResult>;
}

/** Whether files can be stored. `missing`: there is no folder yet; the first file can create it. */
export type ProbeResult =
  | { readonly status: 'usable' | 'missing' }
  | { readonly status: 'failed'; readonly reason: string };

/** Reads a whole stored file, which is at most as large as the limit. */
export async function readWhole({ stream }: OpenFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
