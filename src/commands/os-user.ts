import { userInfo } from 'node:os';

/** Who types: the person behind sudo where there is one. A container's user may have no name. */
export function osUser(): string {
  try {
    return process.env['SUDO_USER'] || userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
