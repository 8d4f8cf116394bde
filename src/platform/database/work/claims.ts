/** Names that works of this process are at, each until it is free again. */
export type Claimed = Map<string, Promise<void>>;

interface Claims {
  /** Takes a name, or answers when it is free again. */
  claim(name: string): Promise<void> | undefined;
  release(): void;
}

/** What one work claims. */
export function claimsOn(claimed: Claimed): Claims {
  const held: (() => void)[] = [];
  return {
    claim(name) {
      const busy = claimed.get(name);
      if (busy) {
        return busy;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      claimed.set(name, promise);
      held.push(() => {
        claimed.delete(name);
        resolve();
      });
      return undefined;
    },
    release() {
      held.splice(0).forEach((free) => free());
    },
  };
}
