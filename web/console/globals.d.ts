/** True in `npm run dev`; the build replaces it, so that development pages are not in releases. */
declare const IS_DEVELOPMENT: boolean;
