import type uPlot from 'uplot';

const DARK = '(prefers-color-scheme: dark)';
const FONT = '11px system-ui, sans-serif';

/** Returns the function that resolves a token, such as `--line`, to a colour that a canvas knows. */
export function colourOf(place: HTMLElement): (token: string) => string {
  const colours = getComputedStyle(place);
  return (token) => {
    // Canvases know no `light-dark()`: the browser resolves it as the colour of an element.
    place.style.color = `var(${token})`;
    const resolved = colours.color;
    place.style.color = '';
    return resolved;
  };
}

/** Returns the look of an axis. */
export const axisOf = (colour: (token: string) => string) => ({
  stroke: colour('--text-quiet'),
  grid: { stroke: colour('--line'), width: 1 },
  ticks: { show: false },
  font: FONT,
});

/** Keeps a plot as wide as its place, and in the colours of the theme. Returns what removes it. */
export function keepPlot(place: HTMLElement, height: number, draw: () => uPlot): () => void {
  let plot = draw();
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  const resized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
  resized.observe(place);
  const scheme = matchMedia(DARK);
  scheme.addEventListener('change', redraw);
  return () => {
    scheme.removeEventListener('change', redraw);
    resized.disconnect();
    plot.destroy();
  };
}
