import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ConfirmDialog, type Question } from './confirm-dialog.tsx';

interface Props extends Question, Pick<ButtonProps, 'size' | 'variant' | 'leftSection'> {
  /** On the button that asks. */
  readonly label: ReactNode;
}

/** A button whose effect is asked about first. */
export function ConfirmButton({ label, size, variant, leftSection, ...question }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...{ size, variant, leftSection }} onClick={open}>
        {label}
      </Button>
      {isOpen && <ConfirmDialog onClose={close} {...question} />}
    </>
  );
}
