/** A metric as Prometheus would read it. */
export interface Read {
  readonly type: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"`;
const SAMPLE = new RegExp(
  String.raw`^(${NAME})(\{(?:${LABEL}(?:,${LABEL})*)\})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?\d+)?)$`,
);
const HELP = new RegExp(String.raw`^# HELP (${NAME}) (?:[^\\\n]|\\\\|\\n)+$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const PARTS = /_(?:bucket|sum|count)$/;

/**
 * Parses the text format 0.0.4 strictly: each metric once, help and type before samples, no series
 * twice, counters named _total. Throws at the first line that breaks a rule.
 */
export function readExposition(text: string): ReadonlyMap<string, Read> {
  const metrics = new Map<string, { type: string; samples: { labels: string; value: number }[] }>();
  const series = new Set<string>();
  let helped = '';
  let current = '';
  if (!text.endsWith('\n')) {
    throw new Error('the last line is not ended');
  }
  for (const line of text.slice(0, -1).split('\n')) {
    const breach = (rule: string) => new Error(`${rule}: ${line}`);
    const [, help] = HELP.exec(line) ?? [];
    const [, typed, type = ''] = TYPE.exec(line) ?? [];
    const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? [];
    if (help) {
      helped = help;
    } else if (typed) {
      if (metrics.has(typed) || helped !== typed) {
        throw breach('one help and one type for each metric');
      }
      if ((type === 'counter') !== typed.endsWith('_total')) {
        throw breach('counters and nothing else end in _total');
      }
      metrics.set(typed, { type, samples: [] });
      current = typed;
    } else {
      const metric = metrics.get(current);
      const isPart = metric?.type === 'histogram' && PARTS.test(name);
      if (
        !metric ||
        (isPart ? name.replace(PARTS, '') : name) !== current ||
        series.has(name + labels)
      ) {
        throw breach('samples stand behind their type, each once');
      }
      series.add(name + labels);
      metric.samples.push({ labels, value: Number(value) });
    }
  }
  return metrics;
}
