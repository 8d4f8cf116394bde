import { fail, ok, warn, type Check } from './check.ts';

const WARN_MS = 2_000;
/** Signatures and reminders are wrong by then. */
const FAIL_MS = 30_000;

/** The database's clock against this machine's, at the middle of the question. */
export const clock: Check = {
  name: 'clock',
  async examine({ rows }) {
    const asked = Date.now();
    const [found] = await rows<{ now: Date }>('select clock_timestamp() as now');
    const here = (asked + Date.now()) / 2;
    const apart = Math.round(Math.abs((found?.now.getTime() ?? 0) - here));
    const message = `this machine and the database are ${apart} ms apart`;
    const fix = 'let both set their clocks by NTP, for example with systemd-timesyncd';
    return apart > FAIL_MS
      ? fail(message, fix)
      : apart > WARN_MS
        ? warn(message, fix)
        : ok(message);
  },
};
