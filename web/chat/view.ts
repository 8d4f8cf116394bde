import type { Configuration } from './configuration.ts';

/** What the panel shows below its head. */
export interface View {
  readonly root: HTMLElement;
  readonly render: (configuration: Configuration) => void;
  /** Called once it can be seen. */
  readonly shown: () => void;
  readonly focus: () => void;
}
