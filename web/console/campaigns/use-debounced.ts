import { useEffect, useState } from 'react';

/** Returns the value once it has stayed the same for a time, in milliseconds. */
export function useDebounced<T>(value: T, quietMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(waiting);
  }, [value, quietMs]);
  return settled;
}
