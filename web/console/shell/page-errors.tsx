import { Component, type ReactNode } from 'react';
import { ErrorState } from '../ui/states.tsx';

interface PageErrorsProps {
  /** Another path leaves the error behind. */
  readonly path: string;
  readonly children: ReactNode;
}

interface PageErrorsState {
  readonly caught: { readonly error: unknown } | null;
}

/**
 * Says that a page failed, in place of it: React would remove the whole console. A page fails if its file
 * cannot be loaded, or if a text of a stranger is more than it can show.
 */
export class PageErrors extends Component<PageErrorsProps, PageErrorsState> {
  override state: PageErrorsState = { caught: null };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  override componentDidUpdate({ path }: PageErrorsProps) {
    if (this.state.caught !== null && path !== this.props.path) {
      this.setState({ caught: null });
    }
  }

  override render() {
    const { caught } = this.state;
    return caught === null ? (
      this.props.children
    ) : (
      <ErrorState error={caught.error} onRetry={() => location.reload()} />
    );
  }
}
