import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { createQueryClient } from './api/query-client.ts';
import { Routes } from './routes.tsx';
import { colorSchemeManager } from './shell/color-scheme.tsx';
import { styleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './theme.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => styleNonce}
      deduplicateInlineStyles
    >
      <ErrorBoundary>
        <QueryClientProvider client={client}>
          <Routes />
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  );
}
