import { EmptyState as MantineEmptyState } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  readonly icon: Icon;
  /** What is not there: "No keys yet". */
  readonly title: string;
  /** What would be here, and how it comes to be. */
  readonly children: ReactNode;
  /** The button or link that takes the first step. */
  readonly action?: ReactNode;
}

/** Shown in place of an empty list; says what will be there and how to begin. */
export function EmptyState({ icon: EmptyIcon, title, children, action }: Props) {
  return (
    <MantineEmptyState
      py="xl"
      size="md"
      withIndicatorBackground
      icon={<EmptyIcon stroke={1.5} aria-hidden />}
      title={title}
      description={children}
    >
      {action !== undefined && <MantineEmptyState.Actions>{action}</MantineEmptyState.Actions>}
    </MantineEmptyState>
  );
}
