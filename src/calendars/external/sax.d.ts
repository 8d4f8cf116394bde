/** The part of `sax` that is used: the package has no types. */
declare module 'sax' {
  export interface Handlers {
    readonly onopentag: (tag: {
      readonly name: string;
      readonly attributes: Readonly<Record<string, string>>;
    }) => void;
    readonly onclosetag: () => void;
    readonly onattribute: () => void;
    readonly ontext: (text: string) => void;
    readonly oncdata: (text: string) => void;
    readonly oncomment: () => void;
    readonly onprocessinginstruction: () => void;
    readonly ondoctype: () => void;
    readonly onerror: () => void;
  }
  interface Parser {
    write(text: string): Parser;
    close(): Parser;
  }
  interface Sax {
    /** Strict: everything that is not well-formed is an error. */
    parser(
      strict: true,
      options: { readonly strictEntities: true; readonly position: false },
    ): Parser;
  }
  const sax: Sax;
  export default sax;
}
