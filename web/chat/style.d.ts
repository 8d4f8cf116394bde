/** The build turns a style sheet into its text. */
declare module '*/widget.css' {
  const text: string;
  export default text;
}
