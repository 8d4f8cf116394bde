declare module '*.module.css' {
  const styles: Readonly<Record<string, string>>;
  // oxlint-disable-next-line import/no-default-export -- esbuild exports the class names like this
  export default styles;
}

declare module '*/every-style.css';
