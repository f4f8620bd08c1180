import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { TextList } from '../../../ui/text-list.tsx';

/** The limits of the figures. */
export function Caveats({ caveats }: { readonly caveats: readonly string[] }) {
  if (caveats.length === 0) return null;
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />} title="Before you rely on it">
      <TextList items={caveats} />
    </Alert>
  );
}
