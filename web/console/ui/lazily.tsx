import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

/**
 * Returns a component whose script is loaded when it is first shown, with the fallback until then. It is
 * shown as soon as it is there, whereas React keeps the fallback of a `Suspense` for at least 300 ms. If
 * the script cannot be loaded, the error is the component's, and showing it again tries again.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async () => (loaded ??= await load());
  return function Lazily(props: Props) {
    const [Content, setContent] = useState(() => loaded);
    useEffect(() => {
      if (Content) {
        return undefined;
      }
      let isShown = true;
      const show = (content: () => ComponentType<Props>) => isShown && setContent(content);
      loadOnce().then(
        (component) => show(() => component),
        (error: unknown) =>
          show(() => {
            throw error;
          }),
      );
      return () => {
        isShown = false;
      };
    }, [Content]);
    return Content ? <Content {...props} /> : fallback;
  };
}
