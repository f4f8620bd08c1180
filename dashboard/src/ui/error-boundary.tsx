import { Box } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';

/** Catches errors of rendering, so that the rest of the page stays. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
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
