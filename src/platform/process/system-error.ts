/** Errors of the operating system that a user can resolve. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EISDIR: 'it is a directory',
  EEXIST: 'a file of that name exists',
  ENOSPC: 'no space left on the disk',
  EFBIG: 'the file is larger than the limit of the process',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
};

interface SystemError {
  /** `permission denied (EACCES)`. */
  readonly reason: string;
  readonly path: string;
}

/** Returns the reason of a failed system call, such as `permission denied (EACCES)`; else the message. */
export const reasonOf = (error: unknown): string =>
  systemError(error)?.reason ?? (error as Error).message;

/** Returns the reason and path of a failed system call, or undefined for other errors. */
export function systemError(error: unknown): SystemError | undefined {
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  return error instanceof Error && syscall !== undefined && reason !== undefined
    ? { reason: `${reason} (${code})`, path: path ?? '' }
    : undefined;
}
