import { isAbsolute, normalize } from 'node:path';
import { defineVariable } from '#core/variable.ts';

const MIB_BYTES = 1024 * 1024;
const MAX_MB = 100;

/** The variables of the storage of files. */
export const FILES_VARIABLES = {
  filesDir: defineVariable({
    name: 'FRONTDESK_FILES_DIR',
    meaning:
      'The folder of files that visitors, customers and the team send. All servers and workers need the same one.',
    takes: 'the absolute path of a folder',
    default: '/var/lib/frontdesk/files',
    parse: (text) => (isAbsolute(text.trim()) ? normalize(text.trim()) : undefined),
  }),
  filesS3Url: defineVariable({
    name: 'FRONTDESK_FILES_S3_URL',
    meaning:
      'A bucket for files instead of the folder, at Amazon S3 or a server that speaks its protocol.',
    takes: 'the address with the bucket, and a folder in it: https://s3.example.com/bucket/folder',
    otherwise: 'none; files are stored in FRONTDESK_FILES_DIR',
    secret: 'url',
    parse: readBucketUrl,
  }),
  filesS3Region: defineVariable({
    name: 'FRONTDESK_FILES_S3_REGION',
    meaning: 'The region of the bucket.',
    takes: 'the name of a region',
    default: 'us-east-1',
    parse: (text) => (/^[\w-]+$/.test(text.trim()) ? text.trim() : undefined),
  }),
  filesS3KeyId: defineVariable({
    name: 'FRONTDESK_FILES_S3_KEY_ID',
    meaning: 'The access key id for the bucket. It may read, write, list and delete objects.',
    takes: 'printable characters',
    otherwise: 'none',
    parse: readPrintable,
  }),
  filesS3Secret: defineVariable({
    name: 'FRONTDESK_FILES_S3_SECRET',
    meaning: 'The secret access key for the bucket.',
    takes: 'printable characters',
    otherwise: 'none',
    secret: true,
    parse: readPrintable,
  }),
  filesMaxBytes: defineVariable({
    name: 'FRONTDESK_FILES_MAX_MB',
    meaning: 'The largest file that can be sent or received, in MiB.',
    takes: `a number from 1 to ${MAX_MB}`,
    default: '10',
    parse: readSize,
  }),
} as const;

/** Returns bytes. */
function readSize(text: string): number | undefined {
  const size = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return size >= 1 && size <= MAX_MB ? size * MIB_BYTES : undefined;
}

/** Returns the address without a trailing slash: names of files are appended. */
function readBucketUrl(text: string): string | undefined {
  const url = /^https?:\/\//.test(text.trim()) ? URL.parse(text.trim()) : null;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  return isPlain && /^\/[^/]/.test(url.pathname) ? url.href.replace(/\/+$/, '') : undefined;
}

function readPrintable(text: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(text.trim()) ? text.trim() : undefined;
}
