import { Badge } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';

/** What became of a signup: told by word, icon and colour. */
export function LabelBadge({ label }: { readonly label: 'good' | 'bad' }) {
  const LabelIcon = label === 'good' ? IconThumbUp : IconThumbDown;
  return (
    <Badge
      miw="max-content"
      color={label === 'good' ? 'teal' : 'red'}
      leftSection={<LabelIcon size={12} aria-hidden />}
    >
      {label}
    </Badge>
  );
}
