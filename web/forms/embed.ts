const { currentScript } = document;

/** Puts the form of `data-form` where its script stands, in a frame that is as high as the form. */
function embed(script: HTMLScriptElement, formId: string): void {
  const frame = document.createElement('iframe');
  const { href, origin } = new URL(`../f/${encodeURIComponent(formId)}`, script.src);
  frame.title = script.dataset['title'] ?? 'Form';
  frame.style.cssText = 'display:block;width:100%;border:0';
  frame.height = '600';
  frame.src = href;
  window.addEventListener('message', ({ source, origin: from, data }) => {
    const height: unknown = (data as { frontdeskHeight?: unknown } | null)?.frontdeskHeight;
    if (source === frame.contentWindow && from === origin && typeof height === 'number') {
      frame.height = String(Math.ceil(height));
    }
  });
  script.after(frame);
}

if (currentScript instanceof HTMLScriptElement && currentScript.dataset['form']) {
  embed(currentScript, currentScript.dataset['form']);
}
