import { seenWithin } from '#platform/process/heartbeats.ts';
import { fail, ok, warn, type Check } from '../check.ts';

const WARN_MS = 2_000;
/** Signatures fail and reminders are late or early. */
const FAIL_MS = 30_000;

/** Compares the database's clock with those of this machine and of all servers and workers. */
export const clock: Check = {
  name: 'clock',
  async examine({ rows }) {
    // Compared with the middle of the round trip.
    const sentAt = Date.now();
    const [found] = await rows<{ now: Date }>('select clock_timestamp() as now');
    const here = (sentAt + Date.now()) / 2;
    const apart = Math.round(Math.abs((found?.now.getTime() ?? 0) - here));
    const [worst] = await rows<Apart>(OTHERS);
    const others = worst ? `; the clock of ${worst.name} differs by ${worst.apart} ms` : '';
    const most = Math.max(apart, worst?.apart ?? 0);
    const message = `the clock of this machine differs from the database's by ${apart} ms${others}`;
    const fix =
      'synchronise the clocks of all machines with NTP, for example with systemd-timesyncd';
    return most > FAIL_MS ? fail(message, fix) : most > WARN_MS ? warn(message, fix) : ok(message);
  },
};

interface Apart {
  readonly name: string;
  readonly apart: number;
}

/** The process whose clock differs most, by its latest heartbeat. */
const OTHERS = `
  select 'process ' || kind || ' on ' || host as name, abs(clock_ahead_ms) as apart from processes
  where ${seenWithin('1 min')} order by 2 desc limit 1`;
