import { execFile } from 'node:child_process';

const PROGRAM = 'systemd-notify';

/**
 * Tells systemd how the service stands, where it is one of Type=notify; its socket is of a kind that
 * Node does not speak, so systemd's own program does. A failure is systemd's to notice.
 */
export function notifySystemd(state: 'READY=1'): void {
  if (process.env['NOTIFY_SOCKET']) {
    execFile(PROGRAM, [`--pid=${process.pid}`, state], () => undefined);
  }
}
