import { useEffect, useRef, useState } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import uPlot from 'uplot';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { axisOf, colourOf, keepPlot } from '../ui/plot.ts';
import { Select } from '../ui/select.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { useForecast, type Forecast } from './opportunity-queries.ts';
import plotStyles from '../ui/plot.module.css';
import styles from './opportunities.module.css';

const HEIGHT = 160;
const AXIS_WIDTH = 56;
/** Of the name of a month, with the space after it, in pixels. */
const LABEL_WIDTH = 68;
/** Of the width of a month, and in pixels. */
const BAR: uPlot.Series.BarsPathBuilderOpts = { size: [0.6, 48], radius: 0.1 };

/** A row of the table: the deals of a month, or those without one. */
interface PeriodRow {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly value: number;
  readonly weightedValue: number;
}

/** What the open deals of a pipeline are expected to bring, month by month. */
export function ForecastView({ pipelineId }: { readonly pipelineId: string }) {
  const { deals } = useMessages();
  const { data: forecast, error, refetch } = useForecast(pipelineId);
  const [wanted, setWanted] = useState<string>();
  if (forecast === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  const currencies = [...new Set(forecast.periods.map(({ currency }) => currency))];
  const currency = currencies.find((one) => one === wanted) ?? currencies[0];
  if (currency === undefined) {
    return (
      <EmptyState icon="opportunities" title={deals.noForecast}>
        {deals.noForecastText}
      </EmptyState>
    );
  }
  return (
    <div className={styles.forecast}>
      {currencies.length > 1 && (
        <div className={styles.currency}>
          <Select
            label={deals.currency}
            value={currency}
            options={currencies.map((id) => ({ id, label: id }))}
            onChange={setWanted}
          />
        </div>
      )}
      <CurrencyForecast forecast={forecast} currency={currency} />
    </div>
  );
}

interface CurrencyForecastProps {
  readonly forecast: Forecast;
  readonly currency: string;
}

function CurrencyForecast({ forecast, currency }: CurrencyForecastProps) {
  const { deals } = useMessages();
  const format = useFormat();
  const rows = usePeriods(forecast, currency);
  const months = rows.slice(0, forecast.months.length);
  const money = (value: number) => format.money(value, currency);
  const sum = (of: 'value' | 'weightedValue') => rows.reduce((total, row) => total + row[of], 0);
  const columns: readonly TableColumn<PeriodRow>[] = [
    { id: 'period', title: deals.period, cell: ({ label }) => label },
    { id: 'count', title: deals.count, cell: ({ count }) => count, isNumber: true },
    { id: 'value', title: deals.value, cell: ({ value }) => money(value), isNumber: true },
    {
      id: 'weighted',
      title: deals.weighted,
      cell: ({ weightedValue }) => money(weightedValue),
      isNumber: true,
    },
  ];
  return (
    <>
      <Bars months={months} label={deals.plot(money(sum('value')), money(sum('weightedValue')))} />
      <Table
        label={deals.forecast}
        columns={columns}
        rows={rows.filter(({ count }) => count > 0)}
        empty={null}
      />
      <p className={styles.note}>{deals.weightedHint}</p>
    </>
  );
}

/** Returns the months in order, also empty ones, then the periods that are no month. */
function usePeriods({ months, periods }: Forecast, currency: string): readonly PeriodRow[] {
  const { deals } = useMessages();
  const { locale } = useLocale();
  const names = { overdue: deals.overdue, later: deals.later, undated: deals.undated };
  const month = new Intl.DateTimeFormat(locale, {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const rowOf = (id: string, label: string): PeriodRow => {
    const found = periods.find((one) => one.period === id && one.currency === currency);
    const { count = 0, value = 0, weightedValue = 0 } = found ?? {};
    return { id, label, count, value, weightedValue };
  };
  return [
    ...months.map((id) => rowOf(id, month.format(new Date(`${id}-01T00:00:00Z`)))),
    ...Object.entries(names).map(([id, label]) => rowOf(id, label)),
  ];
}

interface BarsProps {
  readonly months: readonly PeriodRow[];
  readonly label: string;
}

/** Two bars per month: the value, and within it the weighted value. */
function Bars({ months, label }: BarsProps) {
  const host = useRef<HTMLDivElement>(null);
  const text = JSON.stringify(months);
  useEffect(() => {
    const place = host.current;
    const shown = JSON.parse(text) as readonly PeriodRow[];
    return place ? keepPlot(place, HEIGHT, () => draw(place, shown)) : undefined;
  }, [text]);
  return (
    <figure className={styles.figure}>
      <figcaption>{label}</figcaption>
      <div ref={host} role="img" aria-label={label} className={plotStyles.plot} />
    </figure>
  );
}

function draw(place: HTMLElement, months: readonly PeriodRow[]): uPlot {
  const colour = colourOf(place);
  const axis = axisOf(colour);
  const bars = (token: string): uPlot.Series => ({
    fill: colour(token),
    stroke: colour('--accent-text'),
    width: 1,
    points: { show: false },
    ...(uPlot.paths.bars && { paths: uPlot.paths.bars(BAR) }),
  });
  return new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, months.length - 0.5] },
        y: { range: (_, least, most) => [Math.min(least, 0), Math.max(most * 1.1, 1)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          splits: () => months.map((_, index) => index),
          values: ({ width }, places) => labelsThatFit(months, places, width),
        },
        { ...axis, size: AXIS_WIDTH },
      ],
      series: [{}, bars('--accent-surface'), bars('--accent-text')],
    },
    [
      months.map((_, index) => index),
      months.map(({ value }) => value),
      months.map(({ weightedValue }) => weightedValue),
    ],
    place,
  );
}

/** Returns the names of the months; where the plot is narrow, of every second or third month. */
function labelsThatFit(months: readonly PeriodRow[], places: number[], width: number): string[] {
  const step = Math.ceil((places.length * LABEL_WIDTH) / width);
  return places.map((index) => (index % step === 0 ? (months[index]?.label ?? '') : ''));
}
