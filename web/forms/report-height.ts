/** Tells the page that embeds this one how high it is, so that its frame has no scroll bar. */
export function reportHeight(): void {
  if (window.parent === window) {
    return;
  }
  document.documentElement.classList.add('embedded');
  const report = () => {
    // Not `scrollHeight`, which is never lower than the frame: the frame would not shrink.
    const { height } = document.documentElement.getBoundingClientRect();
    // Any site may embed a form, and a height is no secret.
    window.parent.postMessage({ frontdeskHeight: height }, '*');
  };
  new ResizeObserver(report).observe(document.body);
  report();
}
