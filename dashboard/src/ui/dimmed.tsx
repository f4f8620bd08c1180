import { Text, type TextProps } from '@mantine/core';
import type { ComponentProps } from 'react';

type Props = TextProps & Omit<ComponentProps<'p'>, keyof TextProps>;

/** Small, quiet text that explains what it stands below or beside. */
export function Dimmed(props: Props) {
  return <Text size="xs" c="dimmed" {...props} />;
}
