/** How a lane of jobs is, as metrics, `doctor` and systemd show it. */
export interface LaneState {
  /** False while the lane is stalled, or is being restarted. */
  readonly isTaking: boolean;
  /** Jobs that run now. */
  readonly running: number;
  /** How often it was restarted since the process began. */
  readonly restarts: number;
}

export type LaneStates = Readonly<Record<string, LaneState>>;

/** Names of the lanes that fetch no jobs. */
export const stalledLanes = (lanes: LaneStates): string[] =>
  Object.entries(lanes).flatMap(([name, { isTaking }]) => (isTaking ? [] : [name]));
