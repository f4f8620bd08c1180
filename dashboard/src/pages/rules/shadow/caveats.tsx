import { Alert, List } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';

/** The limits of the figures. */
export function Caveats({ caveats }: { readonly caveats: readonly string[] }) {
  if (caveats.length === 0) return null;
  return (
    <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />} title="Before you rely on it">
      <List size="sm">
        {caveats.map((caveat) => (
          <List.Item key={caveat}>{caveat}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
