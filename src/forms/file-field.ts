import { FILE_KINDS, typesOf } from '../files/file-type.ts';
import type { FileLimits } from '../files/store-file.ts';
import { FILE_DEFAULT_MB, type FormField } from './form-entry.ts';

const MIB_BYTES = 1024 * 1024;

type FileField = Pick<FormField, 'accept' | 'maxMb'>;

/** Returns how large a file of a field may be. */
export const maxBytesOf = ({ maxMb }: FileField, storeMaxBytes: number): number =>
  Math.min((maxMb ?? FILE_DEFAULT_MB) * MIB_BYTES, storeMaxBytes);

/** Returns what a field accepts, as `storeFile` checks it. */
export const limitsOf = (field: FileField, storeMaxBytes: number): FileLimits => ({
  maxBytes: maxBytesOf(field, storeMaxBytes),
  types: typesOf(field.accept ?? FILE_KINDS).map(({ type }) => type),
});

/** Returns the content types and extensions of a field, as the attribute `accept` of an input. */
export const inputAcceptOf = ({ accept }: FileField): string[] =>
  typesOf(accept ?? FILE_KINDS).flatMap(({ type, extensions }) => [
    type,
    ...extensions.map((one) => `.${one}`),
  ]);
