import { ActionIcon, Button, CopyButton as MantineCopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface Props {
  readonly value: string;
  /** What is copied: "Copy the request id". */
  readonly label: string;
  /** Shows the label beside the icon. */
  readonly isWide?: boolean;
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ value, label, isWide = false }: Props) {
  return (
    <MantineCopyButton value={value} timeout={2000}>
      {({ copied, copy }) => {
        const StateIcon = copied ? IconCheck : IconCopy;
        const text = copied ? 'Copied' : label;
        const icon = <StateIcon size={16} aria-hidden />;
        if (isWide) {
          return (
            <Button variant="default" onClick={copy} leftSection={icon}>
              <span aria-live="polite">{text}</span>
            </Button>
          );
        }
        // The name is shown by `title`: Mantine's Tooltip would be loaded with every page, since error notices have this button.
        return (
          <ActionIcon
            onClick={copy}
            aria-label={text}
            title={text}
            color={copied ? 'teal' : 'gray'}
            size="sm"
          >
            {icon}
          </ActionIcon>
        );
      }}
    </MantineCopyButton>
  );
}
