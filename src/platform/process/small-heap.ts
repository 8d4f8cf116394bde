import { setFlagsFromString } from 'node:v8';

/**
 * For a process that streams through much data and exits: V8 collects sooner instead of growing its
 * heap. Measured on an import of 100,000 rows: 170 MB at most instead of 330, for a second more of
 * computing.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
