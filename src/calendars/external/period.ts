/** Epoch milliseconds, the end excluded. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

export interface BusyQuery {
  readonly from: number;
  readonly until: number;
  /** Applies to times without a zone, and to all-day events. */
  readonly timezone: string;
  /** UIDs of our appointments' events, which are skipped. */
  readonly own: readonly string[];
}
