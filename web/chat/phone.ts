/** Where the panel covers the page; the style sheet asks the same. */
const PHONE = '(max-width: 480px), (max-height: 420px)';

export const isPhone = (): boolean => matchMedia(PHONE).matches;
