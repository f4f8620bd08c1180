import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { TextList } from '../../../ui/text-list.tsx';

/** Rules whose effect the records cannot show; stands above all figures. */
export function UnjudgedAlert({ unjudged }: { readonly unjudged: readonly string[] }) {
  if (unjudged.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title="The records cannot show what some rules would have done"
    >
      <TextList items={unjudged} />
    </Alert>
  );
}
