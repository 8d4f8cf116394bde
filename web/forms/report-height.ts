/** Tells the page that embeds this one how high it is, so that its frame has no scroll bar. */
export function reportHeight(): void {
  if (window.parent === window) {
    return;
  }
  document.documentElement.classList.add('embedded');
  const report = () => {
    // Any site may embed a form, and a height is no secret.
    window.parent.postMessage({ frontdeskHeight: document.documentElement.scrollHeight }, '*');
  };
  new ResizeObserver(report).observe(document.body);
  report();
}
