/** Epoch milliseconds, the end left out. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

export interface BusyQuestion {
  readonly from: number;
  readonly until: number;
  /** For times that name no zone, and for days. */
  readonly timezone: string;
  /** UIDs of events that stand for appointments of ours. */
  readonly own: readonly string[];
}
