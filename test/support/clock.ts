/** A clock that tests set; it runs with the real one in between, so that ids keep their order. */
export interface TestClock {
  (): Date;
  advance(ms: number): void;
}

export function testClock(): TestClock {
  let ahead = 0;
  return Object.assign(() => new Date(Date.now() + ahead), {
    advance(ms: number) {
      ahead += ms;
    },
  });
}

/** Returns the second Monday of next January: never past, and Berlin is an hour ahead of UTC on it. */
export function winterMonday(): { readonly date: string; readonly day: number } {
  const year = new Date().getUTCFullYear() + 1;
  const day = 8 + ((8 - new Date(Date.UTC(year, 0, 8)).getUTCDay()) % 7);
  const date = new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 'yyyy-mm-dd'.length);
  return { date, day };
}
