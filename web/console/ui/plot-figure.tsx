import { useEffect, useRef } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import uPlot from 'uplot';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { BROWSER_ZONE } from '../i18n/zone.ts';
import { axisOf, colourOf, keepPlot } from './plot.ts';
import { timeLabels } from './time-labels.ts';
import styles from './plot.module.css';

export interface Point {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: number;
}

interface PlotProps {
  readonly title: string;
  readonly points: readonly Point[];
  /** How far back the plot goes, in milliseconds, however few points there are. */
  readonly period: number;
  /** What the name of the plot tells; by default the latest and the largest value. */
  readonly summary?: string;
  /** Whether the line continues where there are no points. */
  readonly isSteady?: boolean;
  /** Of the labels; the browser's unless it is given. */
  readonly timeZone?: string;
}

const HEIGHT = 160;
/** The least distance of labels in pixels: a time with seconds fits in every language. */
const LABEL_SPACE = 90;
/** Of the labels below the plot, in pixels. */
const LABEL_HEIGHT = 28;
/** The steps of the values, which are whole numbers: 1, 2, 5, 10, 20, … */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();
/** Without a point for this long, the line is interrupted. */
const GAP_FACTOR = 3;

/** A figure over time. Its name tells the latest and the largest value, which a canvas cannot. */
export function Plot({ title, points, period, isSteady = false, timeZone, ...props }: PlotProps) {
  const { health } = useMessages();
  const format = useFormat(timeZone ?? BROWSER_ZONE);
  const { locale } = useLocale();
  const host = useRef<HTMLDivElement>(null);
  const largest = points.reduce((most, { value }) => Math.max(most, value), 0);
  const {
    summary = health.summary(format.number(points.at(-1)?.value ?? 0), format.number(largest)),
  } = props;
  useEffect(() => {
    const place = host.current;
    if (!place || points.length === 0) {
      return undefined;
    }
    const labelsOf = (times: readonly number[]) =>
      timeLabels(times, period, { locale, short: format.short, timeZone });
    return keepPlot(place, HEIGHT, () => draw(place, { points, period, isSteady }, labelsOf));
  }, [points, period, isSteady, format, locale, timeZone]);
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <strong>{title}</strong> <span>{points.length === 0 ? health.noSamples : summary}</span>
      </figcaption>
      <div ref={host} role="img" aria-label={`${title}: ${summary}`} className={styles.plot} />
    </figure>
  );
}

function draw(
  place: HTMLElement,
  { points, period, isSteady }: { points: readonly Point[]; period: number; isSteady: boolean },
  labelsOf: (times: readonly number[]) => string[],
): uPlot {
  const end = (points.at(-1)?.at ?? 0) / 1_000;
  const colour = colourOf(place);
  const axis = axisOf(colour);
  const data = withGaps(points, isSteady ? Infinity : GAP_FACTOR);
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: [end - period / 1_000, end] },
        y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] },
      },
      axes: [
        {
          ...axis,
          space: LABEL_SPACE,
          size: LABEL_HEIGHT,
          values: (_, times) => labelsOf(times.map((time) => time * 1_000)),
        },
        { ...axis, size: 48, incrs: WHOLE_STEPS },
      ],
      series: [
        {},
        { stroke: colour('--accent-text'), width: 1.5, points: { show: points.length < 3 } },
      ],
    },
    data,
    place,
  );
}

function withGaps(points: readonly Point[], factor: number): uPlot.AlignedData {
  const steps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at));
  const step = Math.min(...steps, Number.MAX_SAFE_INTEGER);
  const times: number[] = [];
  const values: (number | null)[] = [];
  for (const [index, { at, value }] of points.entries()) {
    const before = points[index - 1]?.at ?? at;
    if (at - before > factor * step) {
      times.push((before + step) / 1_000);
      values.push(null);
    }
    times.push(at / 1_000);
    values.push(value);
  }
  return [times, values];
}
