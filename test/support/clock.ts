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
