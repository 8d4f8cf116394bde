/** The members of an object, without those that are null. */
export type WithoutNulls<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Copies the object without its members that are null; only optional members may be. */
export const withoutNulls = <T extends object>(value: T): WithoutNulls<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null),
  ) as WithoutNulls<T>;
