import { fail, ok, warn, type Check } from './check.ts';

const WARN_MS = 2_000;
/** Signatures and reminders are wrong by then. */
const FAIL_MS = 30_000;

/** The database's clock against this machine's, and against those of all servers and workers. */
export const clock: Check = {
  name: 'clock',
  async examine({ rows }) {
    // At the middle of the question.
    const asked = Date.now();
    const [found] = await rows<{ now: Date }>('select clock_timestamp() as now');
    const here = (asked + Date.now()) / 2;
    const apart = Math.round(Math.abs((found?.now.getTime() ?? 0) - here));
    const [worst] = await rows<Apart>(OTHERS);
    const others = worst ? `, ${worst.name} and the database ${worst.apart} ms` : '';
    const most = Math.max(apart, worst?.apart ?? 0);
    const message = `this machine and the database are ${apart} ms apart${others}`;
    const fix = 'let all set their clocks by NTP, for example with systemd-timesyncd';
    return most > FAIL_MS ? fail(message, fix) : most > WARN_MS ? warn(message, fix) : ok(message);
  },
};

interface Apart {
  readonly name: string;
  readonly apart: number;
}

/** The process whose clock is furthest off, as it last said itself. */
const OTHERS = `
  select kind || ' on ' || host as name, abs(clock_ahead_ms) as apart from processes
  where seen_at > now() - interval '1 min' order by 2 desc limit 1`;
