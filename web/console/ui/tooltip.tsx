import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Keys } from './keys.tsx';
import { cx } from './cx.ts';
import styles from './tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  readonly shortcut?: string;
  /** The focusable element that it describes. */
  readonly children: ReactElement;
}

/** Shows a text, and the key that does the same, beside the focused or hovered element. */
export const Tooltip = ({ text, shortcut, children }: TooltipProps) => (
  <TooltipTrigger delay={500} closeDelay={0}>
    {children}
    <AriaTooltip offset={6} className={cx(styles.tooltip)}>
      {text}
      {shortcut && <Keys keys={shortcut} />}
    </AriaTooltip>
  </TooltipTrigger>
);
