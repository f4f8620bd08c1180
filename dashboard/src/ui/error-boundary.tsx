import { Box } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  readonly children: ReactNode;
  readonly onError?: (error: unknown) => void;
}

/** Catches errors of rendering, so that the rest of the page stays. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error);
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <Box maw="44rem" mx="auto" py="xl" px="md">
        <ErrorNotice error={this.state.error} onRetry={() => location.reload()} retryLabel="Load anew" />
      </Box>
    );
  }
}
